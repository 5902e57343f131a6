// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskCountersTest {
  private static final String HOME = "120 0 9000 30 2005 7 16080 900 0 400 930 0 0 0 0 1999 88";
  private static final String FAST = "1 0 8 0 3 0 24 0 0 0 0 0 0 0 0 2 0";

  private static List<String> words(String line) {
    return List.of(line.split(" "));
  }

  @Test
  void writesBytesAndFlushesAreReadFromStat() throws Exception {
    DiskCounters home = DiskCounters.of(words(HOME));
    assertThat(home).isEqualTo(new DiskCounters(2005, 16_080 * 512, 1999));
  }

  @Test
  void bothDisksFollowEachOtherInALine() throws Exception {
    BothDisks both = BothDisks.of(words(HOME + " " + FAST));
    assertThat(both.home().writes()).isEqualTo(2005);
    assertThat(both.fast()).isEqualTo(new DiskCounters(3, 24 * 512, 2));
  }

  @Test
  void onlyWhatCameSinceCounts() throws Exception {
    BothDisks both = BothDisks.of(words(HOME + " " + FAST));
    assertThat(both.since(both)).isEqualTo(BothDisks.NOTHING);
    assertThat(both.since(BothDisks.NOTHING)).isEqualTo(both);
  }

  @Test
  void aKernelThatCountsNoFlushesIsRefused() {
    assertThatThrownBy(() -> DiskCounters.of(words("120 0 9000 30 2005 7 16080 900 0 400 930")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("doesn't count flushes");
  }

  @Test
  void whatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> DiskCounters.of(words(HOME.replace("2005", "many"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no counters of a disk");
  }
}
