// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import static io.headpond.store.segment.ColdPatience.LONG_NANOS;
import static io.headpond.store.segment.ColdPatience.ROUND_NANOS;
import static io.headpond.store.segment.ColdPatience.SHORT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColdPatienceTest {
  private final ColdPatience patience = new ColdPatience();
  private long now = 1_000_000_000L;

  /** A round with so much other work before the wait, which lasts as long as it may. */
  private long round(final long otherNanos) {
    now += otherNanos;
    final long wait = patience.begin(now);
    now += wait;
    patience.end(now);
    return wait;
  }

  @Test
  void aThreadThatServesOthersWaitsLittle() {
    for (int i = 0; i < 100; i++) {
      assertThat(round(ROUND_NANOS)).isEqualTo(SHORT_NANOS);
    }
  }

  @Test
  void aThreadWithoutOtherWorkWaitsLongerAndLonger() {
    round(ROUND_NANOS);
    long before = SHORT_NANOS;
    for (int i = 0; i < 10; i++) {
      final long wait = round(ROUND_NANOS / 8);
      assertThat(wait).isEqualTo(Math.min(2 * before, LONG_NANOS));
      before = wait;
    }
    assertThat(before).isEqualTo(LONG_NANOS);
  }

  @Test
  void otherWorkEndsTheLongWaitsAtOnce() {
    for (int i = 0; i < 10; i++) {
      round(ROUND_NANOS / 8);
    }
    assertThat(round(ROUND_NANOS)).isEqualTo(SHORT_NANOS);
    assertThat(round(ROUND_NANOS / 8)).isEqualTo(2 * SHORT_NANOS);
  }
}
