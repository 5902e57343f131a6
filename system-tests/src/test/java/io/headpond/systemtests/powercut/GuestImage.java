// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import io.headpond.bench.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Kernel, initial RAM disk and root file system of the guest, made once and kept below target. */
final class GuestImage {
  /** Where the stage keeps everything it makes. */
  static final Path FOLDER = Path.of(System.getProperty("headpond.powercut.folder"));

  private GuestImage() {}

  /** Makes what isn't there yet; minutes the first time, nothing after. */
  static Path build() throws IOException, InterruptedException {
    Path image = FOLDER.resolve("guest");
    List<String> command = new ArrayList<>(List.of("nice", "-n", "10", "sh"));
    command.add(System.getProperty("headpond.powercut.script"));
    command.add(image.toString());
    for (int feature : new int[] {17, 25}) {
      command.add("java" + feature + "=" + java(feature));
    }
    Files.createDirectories(FOLDER);
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException("the guest can't be built: " + String.join(" ", command));
    }
    return image;
  }

  private static Path java(int feature) throws IOException {
    for (JavaHome found : JavaHome.installed()) {
      if (found.feature() == feature) {
        return found.path();
      }
    }
    throw new IOException(
        "the guest needs a JDK " + feature + "; name it in " + JavaHome.TEST_JAVA_HOMES);
  }
}
