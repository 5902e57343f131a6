// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.Boot;
import io.headpond.torture.powercut.Guest;
import io.headpond.torture.powercut.HostPrograms;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Programs;
import io.headpond.torture.powercut.Setup;
import io.headpond.torture.powercut.guest.FullDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is detected, chosen and done on real FSDAX without a power cut; see docs/power-cut.md. */
@Tag("powercut")
final class DaxDeviceIT {
  private static final HostPrograms HOST = new HostPrograms();
  private static Path image;

  @BeforeAll
  static void buildGuest() throws Exception {
    image = Guests.image(HOST);
  }

  @AfterAll
  static void endGuests() {
    HOST.close();
  }

  /** What the guest reports when it runs {@link FullDevice} once for each set-up. */
  private static List<String> fullDevice(String name, String persistence, Setup... setups)
      throws Exception {
    Path folder = Guests.FOLDER.resolve(name);
    FolderRemoval.remove(folder, true);
    Guest guest = new Guest(image, folder, Machine.small("ext4"), HOST);
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
      boot.lines().forEach(line -> System.out.println("dax device, " + name + ": " + line));
      return boot.lines();
    }
  }

  @Test
  void aSegmentGoesOnAtHomeWhenTheDeviceIsReallyFullInItsMiddle() throws Exception {
    List<String> lines = fullDevice("full", "cpu", Setup.jep352(17), Setup.libpmem(25));
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("DEVICE jep352 DURABLE").contains("domain=cpu_cache");
    assertThat(lines.get(1)).startsWith("FULL moved whole");
    assertThat(lines.get(2)).startsWith("DEVICE libpmem DURABLE").contains("domain=cpu_cache");
    assertThat(lines.get(3)).startsWith("FULL moved whole");
  }

  @Test
  void aRegionWhoseDomainIsTheMemoryControllerIsDurable() throws Exception {
    assertThat(fullDevice("mem-ctrl", "mem-ctrl", Setup.jep352(17)).get(0))
        .startsWith("DEVICE jep352 DURABLE")
        .contains("domain=memory_controller");
  }

  @Test
  void aRegionWithoutAPersistenceDomainIsCalledEmulated() throws Exception {
    assertThat(fullDevice("no-domain", "", Setup.jep352(17)).get(0))
        .startsWith("DEVICE jep352 EMULATED");
  }
}
