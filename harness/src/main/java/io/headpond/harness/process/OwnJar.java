// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Finds the jars of Headpond's own modules, for the class path of a child process. */
public final class OwnJar {

  /** System property that names a folder of such jars. */
  public static final String FOLDER_PROPERTY = "headpond.jars";

  private OwnJar() {}

  /**
   * The jar of a module, as {@code bookkeeper}: in the folder that {@value #FOLDER_PROPERTY} names,
   * beside what is on this JVM's class path, or in the source tree's {@code bookkeeper/target}.
   */
  public static Path find(String module) throws IOException {
    List<Path> folders = new ArrayList<>();
    String named = System.getProperty(FOLDER_PROPERTY);
    if (named != null) {
      folders.add(Path.of(named));
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path folder = Path.of(entry).toAbsolutePath().getParent();
      if (folder != null && !folders.contains(folder)) {
        folders.add(folder);
      }
    }
    for (Path folder = location(OwnJar.class); folder != null; folder = folder.getParent()) {
      folders.addAll(List.of(folder, folder.resolve(module).resolve("target")));
    }
    for (Path folder : folders) {
      Optional<Path> jar = in(folder, module);
      if (jar.isPresent()) {
        return jar.get();
      }
    }
    throw new IOException(
        String.format(
            "no jar of headpond-%s found; build it in a source tree with './mvnw -pl %s -am -DskipTests"
                + " package', or name its folder by -D%s=DIR",
            module, module, FOLDER_PROPERTY));
  }

  private static Optional<Path> in(Path folder, String module) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(p -> p.getFileName().toString().matches("headpond-" + module + "-\\d[^/]*\\.jar"))
          .filter(p -> !p.getFileName().toString().matches(".*-(sources|javadoc|tests)\\.jar"))
          .max(Comparator.naturalOrder());
    }
  }

  /**
   * The class path of a module's main class that uses an engine's jars: the module, this one and
   * its histograms, what else it needs, the release.
   */
  public static List<Path> classPath(String module, EngineRelease release, List<Path> more)
      throws IOException {
    List<Path> classPath =
        new ArrayList<>(List.of(find(module), location(OwnJar.class), location(Histogram.class)));
    classPath.addAll(more);
    classPath.addAll(release.jars());
    return classPath;
  }

  /** The jar or the folder that a class was loaded from. */
  public static Path location(Class<?> loaded) throws IOException {
    try {
      return Path.of(loaded.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the location of " + loaded + " isn't a file name", e);
    }
  }
}
