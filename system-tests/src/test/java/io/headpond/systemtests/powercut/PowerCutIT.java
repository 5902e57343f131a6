// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.torture.powercut.BookieGuest;
import io.headpond.torture.powercut.Campaign;
import io.headpond.torture.powercut.ChannelCuts;
import io.headpond.torture.powercut.Devices;
import io.headpond.torture.powercut.EngineCuts;
import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.GuestLedgers;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Setup;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was acknowledged is there after power cuts, on real FSDAX; see docs/power-cut.md. */
@Tag("powercut")
final class PowerCutIT {
  @AutoClose private static final Campaigns CAMPAIGNS = new Campaigns();

  @Test
  void onExt4EveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("ext4", Machine.small(GuestFileSystem.EXT4), false)
            .withInstants(Campaigns.INSTANTS);
    cuts.rounds(Setup.jep352(17), Campaigns.ROUNDS);
    cuts.rounds(Setup.libpmem(25), Campaigns.ROUNDS);
    cuts.rounds(Setup.jep352(25), 1);
    cuts.rounds(Setup.withoutC2(25), 2);
    cuts.finish(Setup.withoutC2(25));
    Campaigns.assertNothingLost(cuts);
  }

  @Test
  void onXfsEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts = CAMPAIGNS.onNewDisks("xfs", Machine.small(GuestFileSystem.XFS), false);
    cuts.rounds(Setup.jep352(17), 1);
    cuts.rounds(Setup.libpmem(25), 1);
    cuts.finish(Setup.libpmem(25));
    Campaigns.assertNothingLost(cuts);
  }

  @Test
  void aCutKeepsWhatABookieAcknowledgedInBookKeepersOwnJournal() throws Exception {
    EngineRelease release = Engine.BOOKKEEPER.current();
    Path disks = Guests.FOLDER.resolve("bookie");
    try (Campaign cuts =
        EngineCuts.begin(
            (folder, seed) ->
                new BookieGuest(
                    GuestLedgers.AT_HOME,
                    Devices.NVDIMM,
                    CAMPAIGNS.image(),
                    folder,
                    release,
                    seed,
                    CAMPAIGNS.host()),
            disks,
            false,
            Campaigns.SEED,
            Guests.VIEW)) {
      cuts.round(25);
      cuts.check(17);
      Campaigns.assertNothingLost(cuts);
    }
  }

  @Test
  void theControlThatForcesNothingLosesRecords() throws Exception {
    ChannelCuts cuts = CAMPAIGNS.onNewDisks("control", Machine.small(GuestFileSystem.EXT4), true);
    cuts.rounds(Setup.control(17), 1);
    cuts.check(Setup.control(17));
    assertThat(cuts.report().lost()).as("lost").isPositive();
  }

  @Test
  void theControlLosesRecordsAtAnInstantTooOrInstantsProveNothing() throws Exception {
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("control-instant", Machine.small(GuestFileSystem.EXT4), true)
            .withInstants(1);
    cuts.rounds(Setup.control(17), 1);
    assertThat(cuts.report().instants()).isEqualTo(1);
    assertThat(cuts.report().lost()).as("lost").isPositive();
  }
}
