// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.cli.console.Json;
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

  @Test
  void aLoadIsToldInWords() {
    assertThat(POINT.text()).isEqualTo("1 KiB messages, 5,000/s, 1 producer");
    assertThat(POINT.at(Pace.FULL_SPEED).clients(30, 2).on(3, 4).beside(64 << 20).text())
        .isEqualTo(
            "1 KiB messages, full speed, 30 producers, 2 consumers, 3 topics, 64 MiB of backlog"
                + " read");
    assertThat(Point.of(240_000, 1).beside(1 << 30).clients(0, 4).text())
        .isEqualTo("240000 B messages, 4 consumers, 1024 MiB of backlog read");
  }

  @Test
  void aWindowIsInTheNameOfALoadThatHasOne() {
    Point adds = Point.adds(4096, 16, 0.4, 2);
    assertThat(adds.text()).isEqualTo("4 KiB messages, full speed, 1 producer, window 16");
    assertThat(adds.lasting(0, 1).at(Pace.constant(100)).on(1, 1).clients(2, 0).beside(0).window())
        .isEqualTo(16);
    assertThat(Json.tree(adds).get("window").asInt()).isEqualTo(16);
    assertThat(Json.tree(POINT).has("window")).isFalse();
  }

  @Test
  void aWindowHasBounds() {
    assertThatThrownBy(() -> Point.adds(1024, 0, 0, 1)).hasMessageContaining("1 to 10000 adds");
    assertThatThrownBy(() -> Point.adds(1024, 10_001, 0, 1)).hasMessageContaining("not 10001");
    assertThatThrownBy(() -> Point.adds(63, 1, 0, 1)).hasMessageContaining("64 B to 4 MiB");
    assertThatThrownBy(() -> Point.adds((4 << 20) + 1, 1, 0, 1)).hasMessageContaining("4 MiB");
    assertThatThrownBy(() -> Point.adds(4 << 20, 17, 0, 1)).hasMessageContaining("64 MiB");
    assertThat(Point.adds(4 << 20, 16, 0, 1).messageBytes()).isEqualTo(4 << 20);
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    assertThatThrownBy(() -> Point.of(63, 1)).hasMessageContaining("64 to 1,000,000 bytes");
    assertThatThrownBy(() -> Point.of(1_000_001, 1)).hasMessageContaining("1000001");
    assertThatThrownBy(() -> POINT.clients(0, 1)).hasMessageContaining("backlog");
    assertThatThrownBy(() -> POINT.clients(257, 0)).hasMessageContaining("257");
    assertThatThrownBy(() -> POINT.on(101, 100)).hasMessageContaining("101 x 100");
    assertThatThrownBy(() -> POINT.lasting(1, 0)).hasMessageContaining("day");
    assertThat(POINT.clients(256, 256).on(100, 100).messageBytes()).isEqualTo(1024);
  }
}
