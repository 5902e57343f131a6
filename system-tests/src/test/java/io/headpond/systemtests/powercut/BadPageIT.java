// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.Boot;
import io.headpond.torture.powercut.Guest;
import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.GuestImage;
import io.headpond.torture.powercut.HostPrograms;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Programs;
import io.headpond.torture.powercut.Setup;
import io.headpond.torture.powercut.guest.BadPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A page of persistent memory goes bad below a segment; see docs/testing.md. */
@Tag("powercut")
final class BadPageIT {
  private static final HostPrograms HOST = new HostPrograms();
  private static Path image;

  @BeforeAll
  static void buildGuest() throws Exception {
    image = Files.createDirectories(Guests.FOLDER).resolve("guest-bad-memory");
    GuestImage.buildForBadMemory(image, List.of(GuestImage.java(17), GuestImage.java(25)), HOST);
  }

  @AfterAll
  static void endGuests() {
    HOST.close();
  }

  /** What the guest reports of a page that goes bad, and of a process that starts afterwards. */
  private static List<String> badPage(String which, Setup setup) throws Exception {
    Path folder = Guests.FOLDER.resolve("bad-page-" + which + "-" + setup.backEnd());
    FolderRemoval.remove(folder, true);
    Guest guest = new Guest(image, folder, Machine.small(GuestFileSystem.EXT4), HOST);
    guest.makeDisks();
    Path configuration = folder.resolve("store.properties");
    Files.writeString(configuration, setup.configuration(false));
    List<Path> files = new ArrayList<>(List.of(Programs.gather(folder), configuration));
    String run = setup.command(BadPage.class) + " /home/logs /app/store.properties /dev/report ";
    String job =
        "mkdir -p /home/logs /pmem/tier\n"
            + "mount -t debugfs debugfs /sys/kernel/debug\n"
            + (run + which + "\necho \"ENDED $?\" > /dev/report\n")
            + (run + "check || exit 12\n");
    try (Boot boot = guest.boot(1, job, files, "cpu")) {
      boot.awaitPowerOff();
      boot.lines().forEach(line -> System.out.println(folder.getFileName() + ": " + line));
      assertThat(boot.lines()).noneMatch(line -> line.startsWith("FAILED")).hasSizeGreaterThan(3);
      return boot.lines();
    }
  }

  /** What a process that starts afterwards reads. */
  private static String after(List<String> lines) {
    return lines.get(lines.size() - 1);
  }

  @Test
  void aPageWithAcknowledgedRecordsIsAnErrorThatNamesTheSegment() throws Exception {
    List<String> lines = badPage("read", Setup.jep352(17));
    assertThat(lines.get(2))
        .contains(" 1 pages not: HP0310 /home/logs/bad-0/00000000000000000000.log: read failed: ")
        .contains("Input/output error");
    assertThat(lines.get(3)).startsWith("APPEND 200 records, at tier");
    assertThat(lines).contains("ENDED 0");
    assertThat(after(lines)).contains(" 1 pages not: HP0310 ");
  }

  @Test
  void anAppendToABadPageGoesOnAtHome() throws Exception {
    List<String> lines = badPage("append", Setup.jep352(17));
    assertThat(lines.get(2)).startsWith("APPEND 200 records, at home");
    assertThat(lines.get(3)).contains(" 0 pages not");
    assertThat(lines).contains("ENDED 0");
    assertThat(after(lines)).contains(" 0 pages not");
  }

  @Test
  void anAppendToABadPageThatHoldsAcknowledgedRecordsTooIsRefused() throws Exception {
    List<String> lines = badPage("end", Setup.jep352(17));
    assertThat(lines.get(2)).startsWith("APPEND 0 records, at tier").contains("HP0310");
    assertThat(lines).contains("ENDED 0");
    assertThat(after(lines)).contains(" 1 pages not: HP0310 ");
  }

  /** A native store can't be guarded: the JVM ends, and the next one finds everything. */
  @Test
  void withLibpmemAnAppendToABadPageEndsTheProcessAndLosesNothing() throws Exception {
    List<String> lines = badPage("append", Setup.libpmem(25));
    assertThat(lines).contains("ENDED 134").noneMatch(line -> line.startsWith("APPEND"));
    assertThat(after(lines)).contains(" 0 pages not");
  }
}
