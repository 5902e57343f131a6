// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.powercut.ChannelCuts;
import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Memory;
import io.headpond.torture.powercut.Omission;
import io.headpond.torture.powercut.Setup;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Persistent memory behind CXL, in a region of the kernel's driver; see docs/power-cut.md. */
@Tag("powercut")
final class CxlIT {
  private static final Machine MACHINE =
      Machine.small(GuestFileSystem.EXT4).with(Memory.CXL, Omission.NONE);
  @AutoClose private static final Campaigns CAMPAIGNS = new Campaigns();

  /** Neither QEMU's device nor the guest's kernel counts shutdowns. */
  @Test
  void withoutShutdownTrackingTheRegionIsCalledUnknown() throws Exception {
    List<String> lines =
        Guests.fullDevice(
            CAMPAIGNS.image(),
            Guests.FOLDER.resolve("cxl-full"),
            MACHINE,
            "",
            CAMPAIGNS.host(),
            List.of(Setup.jep352(17), Setup.libpmem(25)));
    assertThat(lines.get(0))
        .startsWith("DEVICE jep352 UNKNOWN ext4 dax=true")
        .contains("domain=memory_controller");
    assertThat(lines.get(1)).contains("on CXL, but nmem0 shows no armed shutdown tracking");
    assertThat(lines.get(2)).startsWith("FULL moved whole");
    assertThat(lines.get(3)).startsWith("DEVICE libpmem UNKNOWN");
    assertThat(lines.get(5)).startsWith("FULL moved whole");
  }

  @Test
  void behindCxlEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    ChannelCuts cuts = CAMPAIGNS.onNewDisks("cxl", MACHINE, false).withInstants(Campaigns.INSTANTS);
    cuts.rounds(Setup.jep352(17), 1);
    cuts.rounds(Setup.libpmem(25), 2);
    cuts.finish(Setup.jep352(17));
    Campaigns.assertNothingLost(cuts);
  }
}
