// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.harness.load.Pace.Step;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PaceTest {

  private static final long MS = 1_000_000;

  private static long[] dueMillis(Pace pace, int sender, int senders, int count) {
    DueTimes times = pace.dueTimes(sender, senders);
    return LongStream.range(0, count).map(i -> times.nextNanos() / MS).toArray();
  }

  @Test
  void aConstantPaceIsEvenOverItsStepsEnds() {
    assertThat(dueMillis(Pace.constant(2.5), 0, 1, 6))
        .containsExactly(0, 400, 800, 1200, 1600, 2000);
  }

  @Test
  void sendersTakeTurns() {
    Pace pace = Pace.constant(10);
    assertThat(dueMillis(pace, 0, 2, 3)).containsExactly(0, 200, 400);
    assertThat(dueMillis(pace, 1, 2, 3)).containsExactly(100, 300, 500);
  }

  @Test
  void stepsFollowOneAnotherAndBeginAnew() {
    Pace pace = new Pace(List.of(new Step(2, 1), new Step(0, 3), new Step(4, 0.5)));
    assertThat(dueMillis(pace, 0, 1, 6)).containsExactly(0, 500, 4000, 4250, 4500, 5000);
    assertThat(pace.meanPerSecond()).isEqualTo(4 / 4.5);
  }

  @Test
  void lessThanOneMessageAStepIsDueNowAndThen() {
    assertThat(dueMillis(Pace.constant(0.25), 0, 1, 3)).containsExactly(0, 4000, 8000);
  }

  @Test
  void nothingIsEverDueAtFullSpeed() {
    assertThat(dueMillis(Pace.FULL_SPEED, 1, 3, 2)).containsExactly(0, 0);
    assertThat(Pace.FULL_SPEED.meanPerSecond()).isInfinite();
  }

  @Test
  void aPaceComesBackFromItsText() {
    Pace pace = new Pace(List.of(new Step(1e6, 0.001), new Step(0, 60)));
    assertThat(Pace.decode(pace.encode())).isEqualTo(pace);
    assertThat(Pace.decode(Pace.FULL_SPEED.encode())).isEqualTo(Pace.FULL_SPEED);
    assertThat(pace.encode()).doesNotContain(" ");
  }

  @Test
  void whatCannotBeSentIsRefused() {
    assertThatThrownBy(() -> Pace.constant(-1)).hasMessageContaining("messages/s");
    assertThatThrownBy(() -> Pace.constant(1.1e7)).hasMessageContaining("messages/s");
    assertThatThrownBy(() -> Pace.constant(Double.NaN)).hasMessageContaining("messages/s");
    assertThatThrownBy(() -> new Step(1, 0)).hasMessageContaining("messages/s");
    assertThatThrownBy(() -> Pace.constant(0)).hasMessageContaining("nothing is ever due");
    assertThat(Pace.constant(1e7).meanPerSecond()).isEqualTo(1e7);
  }

  @Test
  void whatIsDueIsAwaitedUnlessItIsToEnd() {
    long due = System.nanoTime() + 30_000_000;
    assertThat(DueTimes.await(due, () -> true)).isTrue();
    assertThat(System.nanoTime() - due).isNotNegative();

    long never = System.nanoTime() + 3_600_000_000_000L;
    int[] asked = {0};
    assertThat(DueTimes.await(never, () -> ++asked[0] < 3)).isFalse();
    assertThat(DueTimes.await(System.nanoTime(), () -> false)).isFalse();
  }
}
