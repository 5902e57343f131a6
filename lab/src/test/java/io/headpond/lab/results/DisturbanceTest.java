// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.comparison.MachineLoad;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DisturbanceTest {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** Ten seconds, all processors busy with {@code ownShare} of them for the benchmark. */
  private static Disturbance after(double ownShare, double stolenShare, Duration held, long hot) {
    long ticks = 1_000L * PROCESSORS;
    return new Disturbance(
        new MachineLoad(ticks, 0, 0),
        Duration.ofMillis((long) (10 * ticks * ownShare)),
        (long) (ticks * stolenShare),
        held,
        hot,
        Duration.ofSeconds(10).toNanos());
  }

  private static final Disturbance START =
      new Disturbance(new MachineLoad(0, 0, 0), Duration.ZERO, 0, Duration.ZERO, 0, 0);

  @Test
  void aQuietMachineHasNoLabel() {
    assertThat(after(0.9, 0.01, Duration.ofMillis(50), 0).labelsSince(START, 0.1)).isEmpty();
  }

  @Test
  void whatOthersUsedMakesItNoisy() {
    assertThat(after(0.6, 0, Duration.ZERO, 0).labelsSince(START, 0))
        .containsExactly(Label.noisy(0.4));
    assertThat(after(1, 0, Duration.ZERO, 0).labelsSince(START, 0.5))
        .as("in a single turn")
        .containsExactly(Label.noisy(0.5));
  }

  @Test
  void stolenTimeAQuotaAndHeatAreCalledThrottled() {
    assertThat(after(1, 0.07, Duration.ofMillis(200), 3).labelsSince(START, 0))
        .extracting(Label::toString)
        .containsExactly(
            "THROTTLED: the hypervisor gave 7.0 % of the processor time to others",
            "THROTTLED: the control group's quota held it back for 2.0 % of the time",
            "THROTTLED: processors were slowed because they were hot");
  }

  @Test
  void thisMachineCanBeLookedAt() throws IOException {
    Disturbance before = Disturbance.soFar();
    Disturbance later = Disturbance.soFar();
    assertThat(later.nanos()).isGreaterThan(before.nanos());
    assertThat(later.own()).isGreaterThanOrEqualTo(before.own()).isPositive();
  }
}
