// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Classes of this module and of {@code pmem} with something else in their source, and a loader in
 * which they are used.
 */
final class PlantedDefect {
  private static final List<Path> SOURCES =
      List.of(Path.of("src/main/java"), Path.of("../pmem/src/main/java"));

  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private final Path folder;

  /**
   * None yet.
   *
   * @param folder empty, for what is compiled
   */
  PlantedDefect(final Path folder) {
    this.folder = folder;
  }

  /** In the class's source, what stands there once is replaced. */
  PlantedDefect in(final String type, final String correct, final String defective)
      throws IOException {
    final Path planted = folder.resolve(type + ".java");
    final String text =
        Files.readString(Files.exists(planted) ? planted : source(planted.getFileName()));
    assertThat(text).as("%s, before the defect", type).containsOnlyOnce(correct);
    Files.writeString(planted, text.replace(correct, defective));
    return this;
  }

  private static Path source(final Path fileName) throws IOException {
    for (final Path folder : SOURCES) {
      try (Stream<Path> files = Files.walk(folder)) {
        final Optional<Path> found = files.filter(file -> file.endsWith(fileName)).findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw new AssertionError("no source " + fileName);
  }

  /** Compiles them; all classes of the class path are loaded once more, with these before them. */
  URLClassLoader loader() throws IOException {
    final List<String> options =
        List.of("-proc:none", "-nowarn", "-d", folder.toString(), "-cp", CLASS_PATH);
    final List<Path> sources;
    try (var files = Files.list(folder)) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    final var compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      assertThat(
              compiler
                  .getTask(
                      null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                  .call())
          .as("%s compiles", sources)
          .isTrue();
    }
    final List<URL> places = new ArrayList<>();
    places.add(folder.toUri().toURL());
    for (final String place : CLASS_PATH.split(File.pathSeparator)) {
      places.add(Path.of(place).toUri().toURL());
    }
    return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
