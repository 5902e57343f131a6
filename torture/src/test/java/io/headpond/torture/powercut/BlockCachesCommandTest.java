// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.Run;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockCachesCommandTest {

  @Test
  void recordsHaveALimit() {
    for (String records : new String[] {"0", "50001"}) {
      Run run = Run.of(new BlockCachesCommand(), "--records", records);
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("--records goes from 1 to 50000");
    }
  }

  @Test
  void aWayThatIsntThereIsRefusedWithThoseThatAre() {
    Run run = Run.of(new BlockCachesCommand(), "--ways", "home-alone,flashcache");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("flashcache").contains("dm-cache");
  }

  @Test
  void tablesCountPerAcknowledgedMegabyte() {
    String text = result(CountedWay.WRITECACHE, 3).text();
    assertThat(text)
        .contains("EMULATED")
        .containsPattern("dm-writecache +250 +100 +2\\.00\n")
        .containsPattern("dm-writecache +3/1000 +at the end: e2fsck made 4 repairs");
  }

  @Test
  void homeAloneMustKeepEverythingOrTheRestIsntBelieved() {
    assertThat(result(CountedWay.HOME_ALONE, 1000).plausible()).isTrue();
    assertThat(result(CountedWay.HOME_ALONE, 999).plausible()).isFalse();
    assertThat(result(CountedWay.BCACHE, 0).plausible()).isTrue();
  }

  private static BlockCachesResult result(CountedWay way, long left) {
    BothDisks disks = new BothDisks(new DiskCounters(500, 4_000_000, 200), DiskCounters.NOTHING);
    Remains mended = new Remains(Remains.FileSystem.MENDED, 4, left, 0, "");
    CountedResult counted =
        new CountedResult(way.id(), 1000, 2_000_000, disks, disks, mended, mended);
    return new BlockCachesResult("emulated", "linux-image-6.1", 7, List.of(counted), 60);
  }
}
