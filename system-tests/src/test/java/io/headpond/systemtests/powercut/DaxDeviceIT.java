// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.powercut.GuestFileSystem;
import io.headpond.torture.powercut.Machine;
import io.headpond.torture.powercut.Setup;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is detected, chosen and done on real FSDAX without a power cut; see docs/power-cut.md. */
@Tag("powercut")
final class DaxDeviceIT {
  @AutoClose private static final Campaigns CAMPAIGNS = new Campaigns();

  private static List<String> fullDevice(String name, String persistence, Setup... setups)
      throws Exception {
    Path folder = Guests.FOLDER.resolve(name);
    return Guests.fullDevice(
        CAMPAIGNS.image(),
        folder,
        Machine.small(GuestFileSystem.EXT4),
        persistence,
        CAMPAIGNS.host(),
        List.of(setups));
  }

  @Test
  void aSegmentGoesOnAtHomeWhenTheDeviceIsReallyFullInItsMiddle() throws Exception {
    List<String> lines = fullDevice("full", "cpu", Setup.jep352(17), Setup.libpmem(25));
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0)).startsWith("DEVICE jep352 DURABLE").contains("domain=cpu_cache");
    assertThat(lines.get(1)).startsWith("WHY ").contains("persistence domain cpu_cache");
    assertThat(lines.get(2)).startsWith("FULL moved whole");
    assertThat(lines.get(3)).startsWith("DEVICE libpmem DURABLE").contains("domain=cpu_cache");
    assertThat(lines.get(5)).startsWith("FULL moved whole");
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
