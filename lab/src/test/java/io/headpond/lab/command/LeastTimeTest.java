// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.PointFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeastTimeTest {

  /** Of two seconds; a million records a second take a microsecond each. */
  private static KafkaTurn turn(int round, Variant variant, long micros, Double forceUs) {
    PointFigures figures =
        KafkaTurnTest.figures(
            2_000_000 / micros, KafkaTurnTest.histogram(5), KafkaTurnTest.histogram(5));
    return new KafkaTurn(
        KafkaTurnTest.LOAD,
        round,
        variant,
        null,
        null,
        KafkaTurn.FullSpeed.of(figures, true),
        null,
        0,
        0,
        forceUs);
  }

  @Test
  void theLeastIsTheUnforcedTimeAndAForceOfTheSameRound() {
    List<LeastTime> all =
        LeastTime.of(
            List.of(
                turn(1, Variant.VANILLA_DISK, 100, null),
                turn(1, Variant.HEADPOND, 200, 60.0),
                turn(1, Variant.VANILLA_FORCED, 400, null),
                turn(2, Variant.HEADPOND, 250, 100.0),
                turn(2, Variant.VANILLA_DISK, 100, null)));
    assertThat(all).hasSize(1);
    assertThat(all.get(0).leastUs()).isEqualTo(Spread.of(160, 200));
    assertThat(all.get(0).ratio()).isEqualTo(Spread.of(1.25, 1.25));
    assertThat(all.get(0).text())
        .isEqualTo(
            "time for a record 225 µs; at least 180 µs: 100 µs where nothing is forced and 80 µs of a"
                + " bare force into written blocks; 1.25x (1.25 to 1.25)");
    assertThat(all.get(0).figures())
        .extracting(Figure::variant, Figure::values, Figure::ratioTo)
        .containsExactly(
            tuple("headpond", List.of(200.0, 250.0), List.of("least")),
            tuple("least", List.of(160.0, 200.0), List.of()));
  }

  @Test
  void withoutItsPartsThereIsNone() {
    assertThat(LeastTime.of(List.of(turn(1, Variant.HEADPOND, 200, 60.0)))).isEmpty();
    assertThat(
            LeastTime.of(
                List.of(
                    turn(1, Variant.VANILLA_DISK, 100, null),
                    turn(1, Variant.HEADPOND, 200, null),
                    turn(2, Variant.HEADPOND, 200, 60.0))))
        .isEmpty();
  }
}
