// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.Pace;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class IsolationTurnTest {

  private static final Point QUIET = Point.of(1024, 4).at(Pace.constant(1_000));
  private static final Point REPLAY = QUIET.beside(64 << 20);

  private final List<PointTurn> points = new ArrayList<>();

  private void turn(Variant variant, int round, Point point, long latencyUs) {
    Histogram publish = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
    publish.recordValue(latencyUs * 1_000);
    Histogram endToEnd = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
    if (point.consumers() > 0) {
      endToEnd.recordValue(3 * latencyUs * 1_000);
    }
    points.add(
        new PointTurn(
            point.text(),
            round,
            variant,
            point,
            new PointFigures(
                4,
                4_000,
                0,
                1_000,
                1_024_000,
                publish,
                new Histogram(3),
                endToEnd,
                0,
                new CpuTime(Duration.ofSeconds(3), Duration.ofSeconds(1)),
                0,
                -1,
                null,
                List.of())));
  }

  private Figure figure(Variant variant) {
    return figure(variant, "growth_p99").orElseThrow();
  }

  private Optional<Figure> figure(Variant variant, String metric) {
    return new ScenarioFigures(points, List.of())
        .figures().stream()
            .filter(f -> f.metric().equals(metric) && f.variant().equals(variant.key()))
            .findFirst();
  }

  @Test
  void aTurnBesideABacklogIsDividedByItsRoundsQuietOne() {
    turn(Variant.HEADPOND, 1, QUIET, 1_000);
    turn(Variant.HEADPOND, 1, REPLAY, 1_500);
    turn(Variant.VANILLA_DISK, 1, QUIET, 2_000);
    turn(Variant.VANILLA_DISK, 1, REPLAY, 8_000);
    // The second round goes the other way round.
    turn(Variant.VANILLA_DISK, 2, REPLAY, 10_000);
    turn(Variant.VANILLA_DISK, 2, QUIET, 2_000);
    turn(Variant.HEADPOND, 2, REPLAY, 4_000);
    turn(Variant.HEADPOND, 2, QUIET, 2_000);

    assertThat(figure(Variant.HEADPOND).load()).isEqualTo(REPLAY.text());
    assertThat(figure(Variant.HEADPOND).values()).hasSize(2);
    assertThat(figure(Variant.HEADPOND).values().get(0)).isBetween(1.49, 1.51);
    assertThat(figure(Variant.HEADPOND).values().get(1)).isBetween(1.99, 2.01);
    assertThat(figure(Variant.HEADPOND).ratioTo()).containsExactly("vanilla-disk");
    assertThat(figure(Variant.VANILLA_DISK).values().get(1)).isBetween(4.99, 5.01);
  }

  @Test
  void anArrivalIsDividedByItsRoundsQuietOne() {
    Point tailed = QUIET.clients(1, 1);
    turn(Variant.HEADPOND, 1, tailed, 1_000);
    turn(Variant.HEADPOND, 1, tailed.beside(64 << 20), 1_200);
    turn(Variant.VANILLA_DISK, 1, tailed, 1_000);
    turn(Variant.VANILLA_DISK, 1, tailed.beside(64 << 20), 4_800);

    Figure headpond = figure(Variant.HEADPOND, "growth_tail_p99").orElseThrow();
    assertThat(headpond.values().get(0)).isBetween(1.19, 1.21);
    assertThat(headpond.ratioTo()).containsExactly("vanilla-disk");
    assertThat(figure(Variant.VANILLA_DISK, "growth_tail_p99").orElseThrow().values().get(0))
        .isBetween(4.79, 4.81);
    assertThat(new ScenarioFigures(points, List.of()).histograms().keySet())
        .anyMatch(name -> name.endsWith("end-to-end"));
  }
}
