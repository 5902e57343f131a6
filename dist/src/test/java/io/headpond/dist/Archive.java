// SPDX-License-Identifier: Apache-2.0
package io.headpond.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * An archive of this build, unpacked.
 *
 * @param file the {@code .tar.gz}
 * @param folder the one folder that it holds
 */
record Archive(Path file, Path folder) {

  /** What operators install. */
  static final String OPERATORS = "headpond.archive";

  /** The laboratory's. */
  static final String LABORATORY = "headpond.lab.archive";

  /**
   * Unpacks an archive.
   *
   * @param property system property that names it
   * @param target an empty folder
   */
  static Archive unpack(String property, Path target) throws IOException, InterruptedException {
    Path file = Path.of(System.getProperty(property));
    Process tar =
        new ProcessBuilder("tar", "-xzf", file.toString(), "-C", target.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).as("exit code of tar").isZero();
    try (Stream<Path> entries = Files.list(target)) {
      return new Archive(file, entries.findFirst().orElseThrow());
    }
  }

  Path resolve(String path) {
    return folder.resolve(path);
  }

  /** Every jar of others, wherever it lies, by its name. */
  List<Path> bundledJars() throws IOException {
    try (Stream<Path> files = Files.walk(resolve("lib"))) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(
              file -> !file.getFileName().toString().matches("headpond-.*")) // licensed as a whole
          .sorted()
          .toList();
    }
  }
}
