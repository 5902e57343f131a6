// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.torture.powercut.BookieGuest;
import io.headpond.torture.powercut.Campaign;
import io.headpond.torture.powercut.ChannelCuts;
import io.headpond.torture.powercut.CutsReport;
import io.headpond.torture.powercut.Devices;
import io.headpond.torture.powercut.Disk;
import io.headpond.torture.powercut.EngineCuts;
import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.GuestLedgers;
import io.headpond.torture.powercut.HostPrograms;
import io.headpond.torture.powercut.KafkaGuest;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Memory;
import io.headpond.torture.powercut.Omission;
import io.headpond.torture.powercut.Setup;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was acknowledged is there after power cuts, on real FSDAX; see docs/power-cut.md. */
@Tag("powercut")
final class PowerCutIT {
  private static final long SEED =
      Long.getLong("headpond.powercut.seed", System.nanoTime() & 0xffff_ffffL);

  /** Cuts per main back end. */
  private static final int ROUNDS = Integer.getInteger("headpond.powercut.rounds", 5);

  /** Instants of each round whose disks are compared without a reboot. */
  private static final int INSTANTS = 5;

  private static final Machine FORGETTING =
      Machine.small(GuestFileSystem.EXT4).with(Disk.FORGETS, SEED);
  private static final Machine FORGETTING_MEMORY = memory(Memory.FORGETS, Omission.NONE);
  private static final HostPrograms HOST = new HostPrograms();
  private static Path image;

  private static Machine memory(Memory memory, Omission omitted) {
    return Machine.small(GuestFileSystem.EXT4).with(Disk.KEEPS, SEED).with(memory, omitted);
  }

  @BeforeAll
  static void buildGuest() throws Exception {
    image = Guests.image(HOST);
  }

  @AfterAll
  static void endGuests() {
    HOST.close();
  }

  private static ChannelCuts onNewDisks(String name, GuestFileSystem fileSystem) throws Exception {
    return onNewDisks(name, Machine.small(fileSystem), false);
  }

  private static ChannelCuts onNewDisks(String name, Machine machine, boolean control)
      throws Exception {
    Path folder = Guests.FOLDER.resolve(name);
    Guests.VIEW.line("seed " + SEED + ", " + machine + ", disks and consoles in " + folder);
    return ChannelCuts.begin(image, folder, machine, control, SEED, HOST, Guests.VIEW);
  }

  private static void assertNothingLost(Campaign cuts) throws Exception {
    CutsReport report = cuts.report();
    Guests.VIEW.line(report + ", seed " + SEED);
    assertThat(report.clean()).as(report.toString()).isTrue();
  }

  @Test
  void onExt4EveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts = onNewDisks("ext4", GuestFileSystem.EXT4).withInstants(INSTANTS);
    cuts.rounds(Setup.jep352(17), ROUNDS);
    cuts.rounds(Setup.libpmem(25), ROUNDS);
    cuts.rounds(Setup.jep352(25), 1);
    cuts.rounds(Setup.withoutC2(25), 2);
    cuts.finish(Setup.withoutC2(25));
    assertNothingLost(cuts);
  }

  @Test
  void onXfsEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts = onNewDisks("xfs", GuestFileSystem.XFS);
    cuts.rounds(Setup.jep352(17), 1);
    cuts.rounds(Setup.libpmem(25), 1);
    cuts.finish(Setup.libpmem(25));
    assertNothingLost(cuts);
  }

  @Test
  void onADiskEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts = onNewDisks("disk", GuestFileSystem.EXT4).withInstants(INSTANTS);
    cuts.rounds(Setup.disk(17), 1);
    cuts.rounds(Setup.disk(25), 1);
    cuts.finish(Setup.disk(25));
    assertNothingLost(cuts);
  }

  @Test
  void onDisksThatForgetEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts =
        onNewDisks("disk-forgets", FORGETTING, false).onDisk().withInstants(INSTANTS);
    cuts.rounds(Setup.disk(17), ROUNDS);
    cuts.finish(Setup.disk(25));
    assertNothingLost(cuts);
    assertThat(cuts.report().losses().disks().lost()).as("writes lost").isPositive();
  }

  @Test
  void onXfsThatForgetsEveryAcknowledgedRecordIsThere() throws Exception {
    Machine machine = Machine.small(GuestFileSystem.XFS).with(Disk.FORGETS, SEED);
    ChannelCuts cuts = onNewDisks("disk-forgets-xfs", machine, false).onDisk();
    cuts.rounds(Setup.disk(17), 1);
    cuts.finish(Setup.disk(25));
    assertNothingLost(cuts);
  }

  @Test
  void onDisksThatForgetTheControlThatIsNeverFlushedLosesRecords() throws Exception {
    ChannelCuts cuts = onNewDisks("disk-forgets-control", FORGETTING, true).onDisk();
    cuts.rounds(Setup.unflushed(17), 1);
    cuts.check(Setup.unflushed(17));
    assertThat(cuts.report().lost()).as("lost").isPositive();
  }

  @Test
  void aDiskThatKeepsEverythingHidesThatNothingIsFlushed() throws Exception {
    ChannelCuts cuts =
        onNewDisks("disk-keeps-control", Machine.small(GuestFileSystem.EXT4), true).onDisk();
    cuts.rounds(Setup.unflushed(17), 1);
    cuts.check(Setup.unflushed(17));
    assertThat(cuts.report().lost()).as("lost").isZero();
  }

  @Test
  void onMemoryThatForgetsEveryAcknowledgedRecordIsThere() throws Exception {
    ChannelCuts cuts =
        onNewDisks("memory-forgets", FORGETTING_MEMORY, false).withInstants(INSTANTS);
    cuts.rounds(Setup.jep352(17), ROUNDS);
    cuts.rounds(Setup.libpmem(25), ROUNDS);
    cuts.finish(Setup.jep352(17));
    assertNothingLost(cuts);
    assertThat(cuts.report().losses().memory().lost()).as("cache lines lost").isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLUSH", "FENCE"})
  void onMemoryThatForgetsAnOmissionLosesRecords(Omission omitted) throws Exception {
    Machine machine = memory(Memory.FORGETS, omitted);
    ChannelCuts cuts = onNewDisks("memory-" + omitted, machine, true).withInstants(10 * INSTANTS);
    cuts.rounds(Setup.unpersisted(17), 1);
    cuts.check(Setup.unpersisted(17));
    assertThat(cuts.report().lost() + cuts.report().corrupt()).as("lost").isPositive();
  }

  @Test
  void aCutKeepsWhatABookieAcknowledgedInBookKeepersOwnJournal() throws Exception {
    EngineRelease release = Engine.BOOKKEEPER.current();
    Path disks = Guests.FOLDER.resolve("bookie");
    try (Campaign cuts =
        EngineCuts.begin(
            (folder, seed) ->
                new BookieGuest(
                    GuestLedgers.AT_HOME, Devices.NVDIMM, image, folder, release, seed, HOST),
            disks,
            false,
            SEED,
            Guests.VIEW)) {
      cuts.round(25);
      cuts.check(17);
      assertNothingLost(cuts);
    }
  }

  @Test
  void theControlThatForcesNothingLosesRecords() throws Exception {
    ChannelCuts cuts = onNewDisks("control", Machine.small(GuestFileSystem.EXT4), true);
    cuts.rounds(Setup.control(17), 1);
    cuts.check(Setup.control(17));
    assertThat(cuts.report().lost()).as("lost").isPositive();
  }

  @Test
  void theControlLosesRecordsAtAnInstantTooOrInstantsProveNothing() throws Exception {
    ChannelCuts cuts =
        onNewDisks("control-instant", Machine.small(GuestFileSystem.EXT4), true).withInstants(1);
    cuts.rounds(Setup.control(17), 1);
    assertThat(cuts.report().instants()).isEqualTo(1);
    assertThat(cuts.report().lost()).as("lost").isPositive();
  }

  /** Needs a user name space; takes minutes: {@code -Dheadpond.powercut.broker.instants=true}. */
  @Test
  @EnabledIfSystemProperty(named = "headpond.powercut.broker.instants", matches = "true")
  void theControlOfABrokerLosesRecordsAtAnInstantToo() throws Exception {
    EngineRelease release = Engine.KAFKA.current();
    Path disks = Guests.FOLDER.resolve("kafka-control-instants");
    EngineCuts begun =
        EngineCuts.begin(
            (folder, seed) ->
                new KafkaGuest(Devices.FORGETTING_DISKS, image, folder, release, seed, HOST),
            disks,
            true,
            SEED,
            Guests.VIEW);
    try (EngineCuts cuts = begun.withInstants(2, image, HOST)) {
      cuts.round(25);
      assertThat(cuts.report().instants()).isPositive();
      assertThat(cuts.report().lost()).as("lost").isPositive();
    }
  }
}
