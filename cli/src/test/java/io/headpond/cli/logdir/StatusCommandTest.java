// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.Run.succeeds;
import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import io.headpond.store.layout.SpareFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusCommandTest {
  @TempDir Path root;
  private LogDirFixture fixture;
  private String logDir;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    logDir = fixture.logDir.toString();
    fixture.tier("pmem");
    fixture.tierSegment("pmem", "orders-0", 0, batches(0, 5));
    fixture.tierSegment("pmem", "orders-0", 50, batches(50, 5));
    fixture.homeSegment("orders-1", 0, batches(0, 5));
    fixture.stoppedCleanly();
  }

  private JsonNode status(int exitCode) throws IOException {
    Run run = Run.of("status", "--json", logDir);
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void tiersAndLogDirsAreCountedWithoutTouchingThem() throws IOException {
    Map<String, String> before = LogDirFixture.contents(root);
    JsonNode json = status(0);
    JsonNode tier = json.at("/tiers/0");
    assertThat(tier.get("name").asText()).isEqualTo("pmem");
    assertThat(tier.get("segments").asInt()).isEqualTo(2);
    assertThat(tier.get("used_bytes").asLong())
        .isEqualTo(batches(0, 5).length + batches(50, 5).length);
    assertThat(tier.get("capacity_bytes").isNull()).isTrue();
    assertThat(tier.at("/directories/0/durability").asText())
        .isIn("durable", "unknown", "volatile");
    JsonNode use = json.at("/log_dirs/0");
    assertThat(use.get("state").asText()).isEqualTo("stopped");
    assertThat(use.get("segments").asInt()).isEqualTo(3);
    assertThat(use.get("at_home").asInt()).isEqualTo(1);
    assertThat(use.get("active").asInt()).isEqualTo(2);
    assertThat(use.get("active_at_home").asInt()).isEqualTo(1);
    assertThat(use.at("/in_tiers/pmem/segments").asInt()).isEqualTo(2);
    assertThat(json.get("owner").isNull()).isTrue();
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  /** A spare of a log that rolls; what it gives to a segment keeps its name. */
  @Test
  void aFileThatIsThereBeforeItsSegmentIsNotCounted() throws IOException {
    Path folder = fixture.logDir.resolve("orders-0/00000000000000000000.log").toRealPath();
    Path spare = folder.resolveSibling("orders-0.next.0123456789abcdef");
    Files.write(spare, new byte[SpareFile.ZERO_BYTES]);
    assertThat(status(0).at("/tiers/0/segments").asInt()).isEqualTo(2);
    Files.write(spare, batches(100, 5));
    assertThat(status(0).at("/tiers/0/segments").asInt()).isEqualTo(3);
  }

  @Test
  void theOwnersCountersAreShown() throws Exception {
    fixture.publish(
        "appended.bytes.volatile=1048576\nappended.bytes.ephemeral=2097152\noverflow.segments=3\n"
            + "tier.pmem.capacity.bytes=67108864\ntier.pmem.used.bytes=1\n"
            + "tier.pmem.threshold=0.5\ntier.pmem.threshold.bytes=33554432\n"
            + "migrated.down.segments=7\nmigrated.down.bytes=7340032\nmigrated.up.segments=1\n"
            + "migrated.up.bytes=1048576\nmigration.failures=2\nmigration.running=2\n"
            + "migration.yielding=true\nmigration.blocked=tier pmem: no room is below\n"
            + ("home." + fixture.home + ".reserve.bytes=" + Long.MAX_VALUE + "\n")
            + ("home." + fixture.home + ".ballast.bytes=8388608\n")
            + ("home." + fixture.home + ".ballast.wanted.bytes=67108864\n"));
    JsonNode json = status(1);
    assertThat(json.at("/owner/pid").asLong()).isEqualTo(4711);
    assertThat(json.at("/owner/running").asBoolean()).isFalse();
    assertThat(json.at("/owner/overflow_segments").asLong()).isEqualTo(3);
    assertThat(json.at("/owner/appended_bytes_volatile").asLong()).isEqualTo(1 << 20);
    assertThat(json.at("/owner/appended_bytes_ephemeral").asLong()).isEqualTo(2 << 20);
    assertThat(json.at("/tiers/0/capacity_bytes").asLong()).isEqualTo(64 << 20);
    assertThat(json.at("/tiers/0/threshold").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/tiers/0/threshold_bytes").asLong()).isEqualTo(32 << 20);
    assertThat(json.at("/owner/migrated_down_bytes").asLong()).isEqualTo(7 << 20);
    assertThat(json.at("/owner/migrated_up_segments").asLong()).isEqualTo(1);
    assertThat(json.at("/owner/migration_yielding").asBoolean()).isTrue();
    assertThat(json.at("/owner/migration_blocked").asText()).contains("no room");
    assertThat(json.at("/homes/0/reserve_touched").asBoolean()).isTrue();
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      assertThat(status(1).at("/owner/running").asBoolean()).isTrue();
      assertThat(Run.of("status", logDir).out())
          .contains("1.00 MiB volatile")
          .contains("2.00 MiB ephemeral, ")
          .contains("overflow: 3 segments")
          .contains("of 64.0 MiB")
          .contains("threshold 50 %")
          .contains("migrated: 7 segments (7.00 MiB) down, 1 segment (1.00 MiB) up, 2 failures")
          .contains("moving 2 segments, yielding to appends")
          .contains("migration is blocked: tier pmem: no room is below")
          .contains("the reserve is touched")
          .contains("of the ballast 8.00 MiB of 64.0 MiB are left");
    }
  }

  /** Each of what a running owner alone knows; 'headpond verify' has no more to say of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tier.pmem.capacity.bytes=67108864\ntier.pmem.failed.directories=1",
        "migration.blocked=tier pmem: no room is below",
        "home.ID.reserve.bytes=9223372036854775807"
      })
  void whatIsShownAsAProblemDecidesTheExitCode(String problem) throws Exception {
    fixture.publish("");
    assertThat(status(0).get("ok").asBoolean()).isTrue();
    fixture.publish(problem.replace("ID", fixture.home.toString()) + "\n");
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      assertThat(status(1).get("ok").asBoolean()).isFalse();
      Run run = Run.of("status", logDir);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out()).contains("PROBLEM").doesNotContain("headpond verify");
    }
  }

  @Test
  void aDrainingTierIsNoProblemAndSaysWhatIsLeft() throws Exception {
    fixture.publish("tier.pmem.capacity.bytes=67108864\ntier.pmem.draining=true\n");
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      JsonNode tier = status(0).at("/tiers/0");
      assertThat(tier.get("draining").asBoolean()).isTrue();
      assertThat(tier.get("segments").asLong()).isPositive();
      assertThat(tier.get("used_bytes").asLong()).isPositive();
      assertThat(Run.of("status", logDir).out())
          .contains("; draining: its segments move out, nothing new goes there\n")
          .doesNotContain("PROBLEM");
      for (int base = 0; base <= 50; base += 50) {
        Path link = fixture.logDir.resolve(String.format("orders-0/%020d.log", base));
        Files.delete(Files.readSymbolicLink(link));
        Files.delete(link);
      }
      assertThat(status(0).at("/tiers/0/segments").asLong()).isZero();
      assertThat(Run.of("status", logDir).out())
          .contains("; draining, and empty: remove its keys before the broker's next start\n");
    }
  }

  @Test
  void aTierThatCannotBeEmptiedSaysWhatItWaitsFor() throws Exception {
    String why = "tier pmem (/t): orders-0/0.log should leave, but no room is anywhere";
    fixture.publish(
        "tier.pmem.capacity.bytes=67108864\ntier.pmem.draining=true\n"
            + ("tier.pmem.waits=" + why + "\nmigration.blocked=" + why + "\n"));
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      assertThat(status(1).at("/tiers/0/waits").asText()).isEqualTo(why);
      assertThat(Run.of("status", logDir).out())
          .contains("; draining: ", "not all of its segments leave: " + why)
          .contains("migration: stands still")
          .doesNotContain("idle");
    }
  }

  @Test
  void aTierThatFailedIsCalledThatWithItsCauseAndNothingElse() throws Exception {
    fixture.publish(
        "tier.pmem.capacity.bytes=67108864\ntier.pmem.failed.directories=1\n"
            + "tier.pmem.failure=it was pulled out\n"
            + "tier.pmem.draining=false\ntier.pmem.waits=orders-0/0.log: its file is not there\n");
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      String durability = status(1).at("/tiers/0/directories/0/durability").asText();
      assertThat(Run.of("status", logDir).out())
          .contains("not all of its segments leave: orders-0/0.log: its file is not there")
          .contains("  " + fixture.tierPath("pmem") + ": FAILED: it was pulled out\n")
          .doesNotContain(durability.toUpperCase(Locale.ROOT));
    }
  }

  /** Its next start examines the directory, and nothing can be done about it before. */
  @Test
  void whatFailedBelowABrokerThatHasEndedIsNoProblem() throws Exception {
    fixture.publish("tier.pmem.capacity.bytes=67108864\ntier.pmem.failed.directories=1\n");
    assertThat(status(0).at("/tiers/0/failed_directories").asLong()).isEqualTo(1);
    assertThat(Run.of("status", logDir).out())
        .contains("; 1 directory had failed when the broker ended, its next start examines")
        .doesNotContain("PROBLEM", "FAILED");
  }

  @Test
  void aBrokerThatRunsIsNamed() throws Exception {
    try (LockHolder broker = new LockHolder(fixture.logDir.resolve(".lock"))) {
      JsonNode use = status(0).at("/log_dirs/0");
      assertThat(use.get("state").asText()).isEqualTo("running");
      assertThat(use.get("pid").asLong()).isEqualTo(broker.pid());
    }
  }

  @Test
  void aMissingTierIsSomethingWrong() throws IOException {
    Files.move(fixture.tierPath("pmem"), root.resolve("elsewhere"));
    JsonNode json = status(1);
    assertThat(json.at("/tiers/0/directories/0/problem").asText()).contains("mount");
    assertThat(json.at("/log_dirs/0/dangling").asInt()).isEqualTo(2);
    assertThat(Run.of("status", logDir).out()).contains("PROBLEM").contains("headpond verify");
  }

  /** Whoever writes there waits, and can't be ended. */
  @Test
  void aFrozenTierIsToldInsteadOfWaitedFor() throws Exception {
    String tier = fixture.tierPath("pmem").toString();
    String image = Files.createFile(root.resolve("image")).toString();
    assumeTrue(succeeds("truncate", "-s", "4M", image));
    assumeTrue(succeeds("mkfs.ext4", "-q", "-F", "-d", tier, image), "there is no mkfs.ext4");
    assumeTrue(succeeds("mount", "-o", "loop", image, tier), "only root may mount");
    try {
      assertThat(status(0).at("/tiers/0/segments").asInt()).isEqualTo(2);
      assumeTrue(succeeds("fsfreeze", "--freeze", tier));
      System.setProperty("headpond.answer.seconds", "2");
      try {
        JsonNode json = status(1);
        assertThat(json.at("/tiers/0/directories/0/problem").asText())
            .contains("doesn't answer", "frozen", "dmesg");
        assertThat(json.at("/tiers/0/segments").asInt()).isEqualTo(2);
        Run doctor = Run.of("doctor", tier);
        assertThat(doctor.exitCode()).isEqualTo(1);
        assertThat(doctor.out()).contains(tier + ": doesn't answer", "-> it is frozen");
        Run drain = Run.of("drain", logDir);
        assertThat(drain.exitCode()).isEqualTo(1);
        assertThat(drain.err()).contains(tier + " doesn't answer");
      } finally {
        System.clearProperty("headpond.answer.seconds");
        succeeds("fsfreeze", "--unfreeze", tier);
      }
      assertThat(Run.of("drain", logDir).exitCode()).isZero();
    } finally {
      succeeds("umount", "--lazy", tier); // a file may still be removed there
    }
  }

  /** As one whose device fails: what can be seen is shown all the same. */
  @Test
  void aTierThatCannotBeReadIsAProblemAmongOthers() throws IOException {
    Path tier = fixture.tierPath("pmem");
    Files.createDirectories(tier.resolve(".headpond.live")); // reading it is an I/O error
    assertThat(status(0).get("owner").isNull()).isTrue();
    Path away = Files.move(tier, root.resolve("elsewhere"));
    Files.createSymbolicLink(tier, tier); // too many levels of links
    JsonNode json = status(1);
    assertThat(json.at("/tiers/0/directories/0/problem").asText())
        .contains("tier pmem can't be read", "dmesg");
    assertThat(json.at("/log_dirs/0/unreadable").asInt()).isEqualTo(1);
    assertThat(json.at("/log_dirs/0/at_home").asInt()).isEqualTo(1);
    assertThat(Run.of("status", logDir).out())
        .contains("PROBLEM: tier pmem can't be read")
        .contains("PROBLEM: 1 partition not counted, which can't be read: " + tier);
    assertThat(Run.of("verify", logDir).out()).contains("tier pmem can't be read");
    assertThat(Run.of("drain", logDir).exitCode()).as("a change").isEqualTo(1);
    Files.delete(tier);
    Files.move(away, tier);
    assertThat(status(0).at("/log_dirs/0/unreadable").asInt()).isZero();
  }

  @Test
  void aLogDirThatHeadpondNeverSawHasNoTiers() throws IOException {
    Path plain = Files.createDirectories(root.resolve("plain/orders-0")).getParent();
    Files.write(plain.resolve("orders-0/00000000000000000000.log"), batches(0, 1));
    Run run = Run.of("status", plain.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("no tiers");
  }

  @Test
  void aFolderThatIsNoLogDirectoryIsRefusedByAllThatLookAtOne(@TempDir Path other)
      throws IOException {
    Files.createDirectories(other.resolve("dbus-1/services"));
    Files.writeString(other.resolve("hosts"), "");
    for (String[] command :
        List.of(
            new String[] {"status", other.toString()},
            new String[] {"status", "--watch", other.toString()},
            new String[] {"status", "--topics", other.toString()},
            new String[] {"status", "--partition", "dbus-1", other.toString()},
            new String[] {"verify", other.toString()})) {
      Run run = Run.of(command);
      assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
      assertThat(run.err()).contains(other + ": no log directory").doesNotContain("\tat ");
    }
    Files.writeString(other.resolve("meta.properties"), "version=1\n");
    assertThat(Run.of("status", other.toString()).exitCode()).isZero();
  }

  @Test
  void aTiersDirectoryIsNotTakenForALogDirectory() throws IOException {
    String tier = fixture.tierPath("pmem").toString();
    for (String command : List.of("status", "verify", "drain")) {
      Run run = Run.of(command, tier);
      assertThat(run.exitCode()).as(command).isEqualTo(1);
      assertThat(run.err()).contains("is a tier's directory").contains("log.dirs");
    }
  }
}
