// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs stand in for the real ones; {@code LimitedHomeIT} has those. */
class TakeDownTest {

  private static final String LIMIT = "sys/fs/cgroup/blkio/blkio.throttle.write_bps_device";

  @TempDir Path root;
  private FakeMachine machine;
  private HomeRecord record;

  /** All that a run of a dead process can leave. */
  @BeforeEach
  void leftBehind() throws IOException {
    machine = new FakeMachine(root);
    machine.version1("");
    record = record(999_999, FakeMachine.BOOT);
    Files.createDirectories(record.mount());
    Files.writeString(record.file(), "blocks");
    machine.loop("loop0", "7:0", Path.of("/var/somebody/else"));
    machine.loop("loop3", "7:3", record.file());
    machine.loop("loop5", "7:5", Path.of("/dev/loop3"));
    machine.file(LIMIT, "7:3 50000000");
    mounted();
    machine.memory(256 << 20, 64 << 20, 0, 0);
    record.write(machine.files());
    machine.program(
        "umount",
        "cat '"
            + root.resolve(LIMIT)
            + "' >> '"
            + root
            + "/calls'\n"
            + ": > '"
            + root
            + "/proc/self/mountinfo'");
    machine.program("losetup", "rm -r '" + root + "/sys/block/'\"${2#/dev/}\"");
  }

  private HomeRecord record(long pid, String boot) throws IOException {
    return new HomeRecord(
        new ProcessInfo(pid, 100, 42),
        boot,
        machine.path("home/headpond limited"),
        Throttle.of(machine.files(), "headpond-limited"),
        new DirtyPages(0, 0, 20, 10),
        DirtyPages.atMost(256 << 20));
  }

  private void mounted() throws IOException {
    String escaped = record.mount().toString().replace(" ", "\\040");
    machine.file("proc/self/mountinfo", "29 1 7:5 / " + escaped + " rw - ext4 /dev/loop5 rw");
  }

  private void takeDown() throws IOException {
    new TakeDown(machine.files(), machine.programs(), record, Duration.ofMillis(200)).run();
  }

  private List<Path> records() throws IOException {
    try (var files = Files.list(machine.files().records())) {
      return files.filter(file -> file.toString().endsWith(".properties")).toList();
    }
  }

  @Test
  void theLimitGoesBeforeTheMountAndThatBeforeTheDevices() throws IOException {
    takeDown();
    assertThat(machine.calls())
        .isEqualTo(
            "umount "
                + record.mount()
                + "\n7:3 0\nlosetup --detach /dev/loop5\nlosetup --detach /dev/loop3");
    assertThat(record.folder()).doesNotExist();
    assertThat(machine.content("proc/sys/vm/dirty_ratio")).isEqualTo("20");
    assertThat(records()).isEmpty();
    assertThat(machine.path("sys/block/loop0")).as("somebody else's device").exists();
  }

  @Test
  void aStepThatFailsKeepsNoLaterOneFromBeingDone() throws IOException {
    machine.program("umount", "echo target is busy; exit 32");
    assertThatThrownBy(this::takeDown)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            record.folder().toString(), "failed with 32: target is busy", "end what still uses it");
    assertThat(machine.calls()).contains("losetup --detach /dev/loop5");
    assertThat(machine.calls()).endsWith("losetup --detach /dev/loop3");
    assertThat(record.folder()).doesNotExist();
    assertThat(machine.content("proc/sys/vm/dirty_ratio")).isEqualTo("20");
    assertThat(records()).as("the next start tries again").hasSize(1);
  }

  @Test
  void afterARestartOnlyFilesAreLeft() throws IOException {
    record = record(999_999, "another boot");
    takeDown();
    assertThat(machine.calls()).isEmpty();
    assertThat(machine.content(LIMIT)).isEqualTo("7:3 50000000");
    assertThat(machine.content("proc/sys/vm/dirty_ratio")).isEqualTo("0");
    assertThat(record.folder()).doesNotExist();
    assertThat(records()).isEmpty();
  }

  @Test
  void theNextStartTakesDownWhatADeadProcessLeft() throws IOException {
    List<String> said = new ArrayList<>();
    new Leftovers(machine.files(), machine.programs()).removeAll(said::add);
    assertThat(said)
        .singleElement()
        .asString()
        .contains("took down", record.folder().toString(), "process 999999");
    assertThat(record.folder()).doesNotExist();
    assertThat(records()).isEmpty();
  }

  @Test
  void whatALivingProcessHasStays() throws IOException {
    machine.process(999_999, 100, 42);
    List<String> said = new ArrayList<>();
    new Leftovers(machine.files(), machine.programs()).removeAll(said::add);
    assertThat(said).isEmpty();
    assertThat(record.file()).exists();
    assertThat(machine.calls()).isEmpty();
  }

  @Test
  void anotherProcessThatGotItsIdDoesNotKeepIt() throws IOException {
    machine.process(999_999, 100, 43);
    new Leftovers(machine.files(), machine.programs()).removeAll(said -> {});
    assertThat(record.folder()).doesNotExist();
  }
}
