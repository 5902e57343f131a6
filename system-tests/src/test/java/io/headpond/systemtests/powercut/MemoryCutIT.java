// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.powercut.ChannelCuts;
import io.headpond.torture.powercut.Disk;
import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Memory;
import io.headpond.torture.powercut.Omission;
import io.headpond.torture.powercut.Setup;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was acknowledged is there after power cuts of an NVDIMM below caches that are lost. */
@Tag("powercut")
final class MemoryCutIT {
  @AutoClose private static final Campaigns CAMPAIGNS = new Campaigns();

  private static Machine memory(Omission omitted) {
    return Machine.small(GuestFileSystem.EXT4)
        .with(Disk.KEEPS, Campaigns.SEED)
        .with(Memory.FORGETS, omitted);
  }

  @Test
  void onMemoryThatForgetsEveryAcknowledgedRecordIsThere() throws Exception {
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("memory-forgets", memory(Omission.NONE), false)
            .withInstants(Campaigns.INSTANTS);
    cuts.rounds(Setup.jep352(17), Campaigns.ROUNDS);
    cuts.rounds(Setup.libpmem(25), Campaigns.ROUNDS);
    cuts.finish(Setup.jep352(17));
    Campaigns.assertNothingLost(cuts);
    assertThat(cuts.report().losses().memory().lost()).as("cache lines lost").isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLUSH", "FENCE"})
  void onMemoryThatForgetsAnOmissionLosesRecords(Omission omitted) throws Exception {
    Machine machine = memory(omitted);
    ChannelCuts cuts =
        CAMPAIGNS
            .onNewDisks("memory-" + omitted, machine, true)
            .withInstants(10 * Campaigns.INSTANTS);
    cuts.rounds(Setup.unpersisted(17), 1);
    cuts.check(Setup.unpersisted(17));
    assertThat(cuts.report().lost() + cuts.report().corrupt()).as("lost").isPositive();
  }
}
