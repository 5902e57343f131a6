// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MachineLoadTest {

  @Test
  void stolenTimeIsBusyAndWaitingForADeviceIsNeither() {
    assertThat(MachineLoad.of("cpu  10 20 30 400 50 6 7 8 900 1000"))
        .isEqualTo(new MachineLoad(10 + 20 + 30 + 6 + 7 + 8, 400, 50));
  }

  @Test
  void theShareOfOthersIsWhatIsLeftAfterOurOwn() {
    MachineLoad start = new MachineLoad(1_000, 800, 200);
    MachineLoad end = new MachineLoad(1_150, 830, 220);
    Duration own = Duration.ofMillis(1_000);
    assertThat(end.othersShare(start, own, 1_000_000_000L, 2)).isEqualTo(0.25, within(1e-9));
  }

  @Test
  void whoeverWaitsForADeviceIsNotIdle() {
    MachineLoad start = new MachineLoad(1_000, 800, 200);
    assertThat(new MachineLoad(1_010, 880, 210).activeShare(start)).isEqualTo(0.2, within(1e-9));
    assertThat(start.activeShare(start)).isZero();
  }
}
