// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.Pace;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.kafka.variant.Variant;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PointTest {

  private static final Point POINT = Point.of(1024, 4).at(Pace.constant(5_000));

  private static PointFigures figures(double perSecond, long... latenciesMs) {
    Histogram publish = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
    for (long ms : latenciesMs) {
      publish.recordValue(ms * 1_000_000);
    }
    return new PointFigures(
        4,
        (long) (4 * perSecond),
        0,
        perSecond,
        perSecond * 1024,
        publish,
        new Histogram(3),
        new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS),
        0,
        new CpuTime(Duration.ofSeconds(3), Duration.ofSeconds(1)),
        0,
        -1,
        null,
        List.of());
  }

  private static double value(String metric, Point point, PointFigures figures) {
    PointTurn turn = new PointTurn(point.text(), 1, Variant.HEADPOND, point, figures);
    return PointMetrics.ALL.stream()
        .filter(m -> m.key().equals(metric))
        .mapToDouble((Metric<PointTurn> m) -> m.of(turn))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPaceIsAchievedUpToAShortLag() {
    assertThat(figures(4_760, 1).achieved(POINT)).isTrue();
    assertThat(figures(4_740, 1).achieved(POINT)).isFalse();
    assertThat(figures(1, 1).achieved(POINT.at(Pace.FULL_SPEED))).isTrue();
  }

  @Test
  void latenciesAreThoseOfTheHistogram() {
    PointFigures figures = figures(5_000, 1, 2, 3, 40);
    assertThat(value("latency_p50", POINT, figures)).isBetween(1.99, 2.01);
    assertThat(value("latency_max", POINT, figures)).isBetween(39.9, 40.1);
    assertThat(value("end_to_end_p99", POINT, figures)).isNaN();
    assertThat(value("engine_cpu", POINT, figures)).isEqualTo(150);
    assertThat(value("load_generator_cpu", POINT, figures)).isEqualTo(25);
  }

  @Test
  void latencyAtFullSpeedIsNoFigure() {
    Point full = POINT.at(Pace.FULL_SPEED);
    assertThat(value("latency_p99", full, figures(9_000, 50))).isNaN();
    assertThat(value("messages", full, figures(9_000, 50))).isEqualTo(9_000);
  }
}
