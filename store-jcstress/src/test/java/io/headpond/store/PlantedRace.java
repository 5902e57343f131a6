// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A class of the product with a defect in its source, compiled into a folder of its own.
 *
 * @param source its file, relative to the folder of all modules
 */
record PlantedRace(String source, List<Edit> edits) {
  /** Replacement of a piece of source that occurs once. */
  private record Edit(String correct, String defective) {}

  static PlantedRace in(final String source, final String correct, final String defective) {
    return new PlantedRace(source, List.of(new Edit(correct, defective)));
  }

  PlantedRace and(final String correct, final String defective) {
    final List<Edit> more = new ArrayList<>(edits);
    more.add(new Edit(correct, defective));
    return new PlantedRace(source, more);
  }

  /** Compiles it into a folder that precedes the product on a class path. */
  void compile(final Path folder) throws IOException {
    final Path original = Path.of(System.getProperty("headpond.sources")).resolve(source);
    String text = Files.readString(original);
    for (final Edit edit : edits) {
      final String[] around = text.split(Pattern.quote(edit.correct()), -1);
      assertThat(around).as("%s holds once: %s", source, edit.correct()).hasSize(2);
      text = around[0] + edit.defective() + around[1];
    }
    final Path planted = Files.writeString(folder.resolve(original.getFileName()), text);
    final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      final List<String> options =
          List.of(
              "-proc:none",
              "-nowarn",
              "-d",
              folder.toString(),
              "-cp",
              System.getProperty(
                  "surefire.test.class.path", System.getProperty("java.class.path")));
      assertThat(
              compiler
                  .getTask(null, files, null, options, null, files.getJavaFileObjects(planted))
                  .call())
          .as("%s compiles", planted)
          .isTrue();
    }
  }
}
