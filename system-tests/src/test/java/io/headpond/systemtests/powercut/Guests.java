// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import io.headpond.torture.powercut.CutsView;
import io.headpond.torture.powercut.GuestImage;
import io.headpond.torture.powercut.HostPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the tests with guests share: the image, made once and kept below target. */
final class Guests {
  /** Where the stage keeps everything it makes. */
  static final Path FOLDER = Path.of(System.getProperty("headpond.powercut.folder"));

  static final CutsView VIEW =
      new CutsView() {
        @Override
        public void line(String text) {
          System.out.println("power cut: " + text);
        }

        @Override
        public void progress(String text) {}
      };

  private Guests() {}

  /** With Java 17 and 25. */
  static Path image(HostPrograms host) throws IOException, InterruptedException {
    Path image = Files.createDirectories(FOLDER).resolve("guest");
    GuestImage.build(image, List.of(GuestImage.java(17), GuestImage.java(25)), host);
    return image;
  }
}
