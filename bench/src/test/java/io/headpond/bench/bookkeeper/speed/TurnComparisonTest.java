// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bench.comparison.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnComparisonTest {

  private static final LoadPoint POINT = new LoadPoint(1024, 16);

  @Test
  void aRatioIsTakenRoundByRound() {
    List<TurnFigures> turns =
        List.of(
            turn(1, JournalVariant.HEADPOND, 300),
            turn(1, JournalVariant.DEFAULT_FAST, 100),
            turn(2, JournalVariant.DEFAULT_FAST, 400),
            turn(2, JournalVariant.HEADPOND, 200));
    TurnComparison adds =
        TurnComparison.of(turns).stream()
            .filter(c -> c.metric().equals("adds") && c.variant() == JournalVariant.DEFAULT_FAST)
            .findFirst()
            .orElseThrow();
    assertThat(adds.value()).isEqualTo(new Spread(100, 250, 400));
    assertThat(adds.headpondRatio()).isEqualTo(new Spread(0.5, 1.75, 3));
    assertThat(adds.unit()).isEqualTo("adds/s");
  }

  @Test
  void headpondIsntComparedWithItself() {
    assertThat(TurnComparison.of(List.of(turn(1, JournalVariant.HEADPOND, 300))))
        .hasSize(TurnMetric.values().length)
        .allMatch(c -> c.headpondRatio() == null);
  }

  private static TurnFigures turn(int round, JournalVariant variant, double addsPerSecond) {
    return new TurnFigures(
        POINT, round, variant, 1, 100, addsPerSecond, 1, 10, 20, 30, 40, 5, 6, 0, 0.1);
  }
}
