// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.torture.powercut.ChannelCuts;
import io.headpond.torture.powercut.Devices;
import io.headpond.torture.powercut.Disk;
import io.headpond.torture.powercut.EngineCuts;
import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.KafkaGuest;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Setup;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What was acknowledged is there after power cuts of disks, also of those that forget what nobody
 * flushed.
 */
@Tag("powercut")
final class DiskCutIT {
  private static final Machine FORGETTING =
      Machine.small(GuestFileSystem.EXT4).with(Disk.FORGETS, Campaigns.SEED);

  @AutoClose private static final Campaigns CAMPAIGNS = new Campaigns();

  @Test
  void onADiskEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("disk", Machine.small(GuestFileSystem.EXT4), false)
            .withInstants(Campaigns.INSTANTS);
    cuts.rounds(Setup.disk(17), 1);
    cuts.rounds(Setup.disk(25), 1);
    cuts.finish(Setup.disk(25));
    Campaigns.assertNothingLost(cuts);
  }

  @Test
  void onDisksThatForgetEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("disk-forgets", FORGETTING, false)
            .onDisk()
            .withInstants(Campaigns.INSTANTS);
    cuts.rounds(Setup.disk(17), Campaigns.ROUNDS);
    cuts.finish(Setup.disk(25));
    Campaigns.assertNothingLost(cuts);
    assertThat(cuts.report().losses().disks().lost()).as("writes lost").isPositive();
  }

  @Test
  void onXfsThatForgetsEveryAcknowledgedRecordIsThere() throws Exception {
    Machine machine = Machine.small(GuestFileSystem.XFS).with(Disk.FORGETS, Campaigns.SEED);
    ChannelCuts cuts = CAMPAIGNS.onNewDisks("disk-forgets-xfs", machine, false).onDisk();
    cuts.rounds(Setup.disk(17), 1);
    cuts.finish(Setup.disk(25));
    Campaigns.assertNothingLost(cuts);
  }

  @Test
  void onDisksThatForgetTheControlThatIsNeverFlushedLosesRecords() throws Exception {
    ChannelCuts cuts = CAMPAIGNS.onNewDisks("disk-forgets-control", FORGETTING, true).onDisk();
    cuts.rounds(Setup.unflushed(17), 1);
    cuts.check(Setup.unflushed(17));
    assertThat(cuts.report().lost()).as("lost").isPositive();
  }

  @Test
  void aDiskThatKeepsEverythingHidesThatNothingIsFlushed() throws Exception {
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("disk-keeps-control", Machine.small(GuestFileSystem.EXT4), true)
            .onDisk();
    cuts.rounds(Setup.unflushed(17), 1);
    cuts.check(Setup.unflushed(17));
    assertThat(cuts.report().lost()).as("lost").isZero();
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
                new KafkaGuest(
                    Devices.FORGETTING_DISKS,
                    CAMPAIGNS.image(),
                    folder,
                    release,
                    seed,
                    CAMPAIGNS.host()),
            disks,
            true,
            Campaigns.SEED,
            Guests.VIEW);
    try (EngineCuts cuts = begun.withInstants(2, CAMPAIGNS.image(), CAMPAIGNS.host())) {
      cuts.round(25);
      assertThat(cuts.report().instants()).isPositive();
      assertThat(cuts.report().lost()).as("lost").isPositive();
    }
  }
}
