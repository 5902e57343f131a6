// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettlingTest {

  private static final List<MachineLoad> FLUSHED =
      List.of(load(0, 0), load(35, 5), load(55, 25), load(56, 64), load(76, 84), load(76, 124));

  @Test
  void itEndsWithTheFirstSampleThatIsIdle() throws Exception {
    assertThat(Settling.await(FLUSHED.iterator()::next, 1, 0)).isEqualTo(3);
  }

  @Test
  void aFlushBreaksTheQuiet() throws Exception {
    List<MachineLoad> quiet = new ArrayList<>(FLUSHED);
    quiet.add(load(76, 164));
    assertThat(Settling.await(quiet.iterator()::next, 2, 0)).isEqualTo(6);
  }

  @Test
  void aMachineThatIsNeverIdleIsMeasuredAllTheSame() throws Exception {
    long[] ticks = new long[1];
    assertThat(Settling.await(() -> load(ticks[0] += 40, 0), 1, 0)).isEqualTo(Settling.SAMPLES_MAX);
  }

  private static MachineLoad load(long busy, long idle) {
    return new MachineLoad(busy, idle, 0);
  }
}
