// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.Boot;
import io.headpond.torture.powercut.CutsView;
import io.headpond.torture.powercut.Guest;
import io.headpond.torture.powercut.GuestImage;
import io.headpond.torture.powercut.HostPrograms;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Programs;
import io.headpond.torture.powercut.Setup;
import io.headpond.torture.powercut.guest.FullDevice;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
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

  /** With Java 17 and 25; made by one of the JVMs that run tests beside one another. */
  static Path image(HostPrograms host) throws IOException, InterruptedException {
    Path image = Files.createDirectories(FOLDER).resolve("guest");
    try (FileChannel alone =
        FileChannel.open(
            FOLDER.resolve("guest.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      alone.lock();
      GuestImage.build(image, List.of(GuestImage.java(17), GuestImage.java(25)), host);
    }
    return image;
  }

  /**
   * What a new guest reports when it runs {@link FullDevice} once for each set-up.
   *
   * @param persistence as {@link Guest#boot} takes it
   */
  static List<String> fullDevice(
      Path image,
      Path folder,
      Machine machine,
      String persistence,
      HostPrograms host,
      List<Setup> setups)
      throws IOException, InterruptedException {
    FolderRemoval.remove(folder, true);
    Guest guest = new Guest(image, folder, machine, host);
    guest.makeDisks();
    List<Path> files = new ArrayList<>(List.of(Programs.gather(folder)));
    StringBuilder job = new StringBuilder("mkdir -p /home/logs /pmem/tier\n");
    for (Setup setup : setups) {
      Path configuration = folder.resolve(setup.backEnd() + ".properties");
      // More than the device has: what is met is the device's end, not the configured one.
      Files.writeString(
          configuration, setup.configuration(false).replace("capacity=40MiB", "capacity=4GiB"));
      files.add(configuration);
      job.append(setup.command(FullDevice.class))
          .append(" /home/logs /app/" + configuration.getFileName())
          .append(" /pmem/tier /dev/report || exit 12\n");
    }
    try (Boot boot = guest.boot(1, job.toString(), files, persistence)) {
      boot.awaitPowerOff();
      boot.lines().forEach(line -> System.out.println(folder.getFileName() + ": " + line));
      return boot.lines();
    }
  }
}
