// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MachineLoadTest {

  @Test
  void waitingForADeviceIsIdleAndStolenTimeIsBusy() {
    assertThat(MachineLoad.of("cpu  10 20 30 400 50 6 7 8 900 1000"))
        .isEqualTo(new MachineLoad(10 + 20 + 30 + 6 + 7 + 8, 450));
  }

  @Test
  void theShareOfOthersIsWhatIsLeftAfterOurOwn() {
    MachineLoad start = new MachineLoad(1_000, 1_000);
    MachineLoad end = new MachineLoad(1_150, 1_050);
    Duration own = Duration.ofMillis(1_000);
    assertThat(end.othersShare(start, own, 1_000_000_000L, 2)).isEqualTo(0.25, within(1e-9));
  }
}
