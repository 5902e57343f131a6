// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headpond.harness.load.Pace;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.CpuTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LowestLatencyTurnTest {

  private static final String LOAD = "1 KiB messages, at the lowest P99 of default-disk";

  private final List<PointTurn> points = new ArrayList<>();

  private void turn(
      ComparedVariant variant, int round, double due, double achieved, long latencyUs) {
    Point point = Point.of(1024, 4).at(Pace.constant(due));
    Histogram publish = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
    publish.recordValue(latencyUs * 1_000);
    points.add(
        new PointTurn(
            point.text(),
            round,
            variant,
            point,
            new PointFigures(
                4,
                (long) (4 * achieved),
                0,
                achieved,
                1_000 * achieved,
                publish,
                new Histogram(PointRun.DIGITS),
                new Histogram(PointRun.DIGITS),
                0,
                new CpuTime(Duration.ofSeconds(3), Duration.ofSeconds(1)),
                0,
                -1,
                null,
                List.of())));
  }

  private Comparison<String, ComparedVariant> throughput(ComparedVariant variant) {
    return new ScenarioFigures(points, List.of())
        .lowestLatencyComparisons().stream()
            .filter(c -> c.load().equals(LOAD) && c.metric().equals("lowest_p99_bytes"))
            .filter(c -> c.variant() == variant)
            .findFirst()
            .orElseThrow();
  }

  private void disk(int round) {
    turn(JournalVariant.DEFAULT_DISK, round, 200, 200, 3_000);
    turn(JournalVariant.DEFAULT_DISK, round, 1_000, 1_000, 9_000);
  }

  @Test
  void theHighestRateWithinTheBaselinesLowestP99Counts() {
    turn(JournalVariant.HEADPOND, 1, 200, 200, 400);
    turn(JournalVariant.HEADPOND, 1, 4_000, 4_000, 2_500);
    turn(JournalVariant.HEADPOND, 1, 9_000, 9_000, 8_000);
    disk(1);

    assertThat(throughput(JournalVariant.HEADPOND).value().median()).isEqualTo(4);
    assertThat(throughput(JournalVariant.DEFAULT_DISK).value().median()).isEqualTo(0.2);
    assertThat(throughput(JournalVariant.DEFAULT_DISK).headpondRatio().median())
        .isCloseTo(20, within(1e-9));
  }

  @Test
  void aRateThatIsNotKeptUpWithDoesNotCount() {
    turn(JournalVariant.HEADPOND, 1, 200, 200, 400);
    turn(JournalVariant.HEADPOND, 1, 4_000, 3_000, 2_500);
    disk(1);

    assertThat(throughput(JournalVariant.HEADPOND).value().median()).isEqualTo(0.2);
  }

  @Test
  void whereNoRateKeepsItTheThroughputIsNone() {
    turn(JournalVariant.HEADPOND, 1, 200, 200, 4_000);
    turn(JournalVariant.HEADPOND, 1, 1_000, 1_000, 4_000);
    disk(1);

    assertThat(throughput(JournalVariant.HEADPOND).value().median()).isZero();
  }

  @Test
  void eachRoundIsJudgedByItself() {
    turn(JournalVariant.HEADPOND, 1, 200, 200, 400);
    turn(JournalVariant.HEADPOND, 1, 1_000, 1_000, 400);
    disk(1);
    turn(JournalVariant.HEADPOND, 2, 200, 200, 400);
    turn(JournalVariant.HEADPOND, 2, 1_000, 1_000, 3_500);
    disk(2);
    turn(JournalVariant.HEADPOND, 3, 200, 200, 400); // the baseline's turn is missing

    assertThat(throughput(JournalVariant.DEFAULT_DISK).headpondRatio().values())
        .containsExactly(5.0, 1.0);
  }

  @Test
  void oneRateIsNoSweep() {
    turn(JournalVariant.HEADPOND, 1, 200, 200, 400);
    turn(JournalVariant.DEFAULT_DISK, 1, 200, 200, 3_000);

    assertThat(new ScenarioFigures(points, List.of()).lowestLatencyComparisons()).isEmpty();
    assertThat(new ScenarioFigures(points, List.of()).curves()).isEmpty();
  }
}
