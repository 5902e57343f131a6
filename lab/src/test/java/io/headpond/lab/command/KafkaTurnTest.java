// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.PointFigures;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class KafkaTurnTest {

  static final KafkaTurn.Load LOAD = new KafkaTurn.Load(1024, "all", "lz4");

  /** The figures of two seconds with so many answers in time. */
  static PointFigures figures(long records, Histogram publish, Histogram sendLag) {
    return new PointFigures(
        2,
        records,
        0,
        records / 2.0,
        (records << 10) / 2.0,
        publish,
        sendLag,
        new Histogram(3),
        0,
        new CpuTime(Duration.ofSeconds(2), Duration.ofSeconds(1)),
        0.25,
        -1,
        null,
        List.of());
  }

  static Histogram histogram(long... us) {
    Histogram histogram = new Histogram(3);
    Arrays.stream(us).forEach(each -> histogram.recordValue(each * 1_000));
    return histogram;
  }

  /** One that rolled three times while it was measured at a rate, and consumed nothing. */
  static KafkaTurn turn(Variant variant, int round, long records, long... latenciesUs) {
    PointFigures figures = figures(records, histogram(latenciesUs), histogram(5));
    return new KafkaTurn(
        LOAD,
        round,
        variant,
        KafkaTurn.Paced.of(100, figures, 1.5, 3),
        null,
        KafkaTurn.FullSpeed.of(figures, false),
        null,
        0,
        0.25,
        null);
  }

  @Test
  void processorTimeIsPerRecordAndPerMib() {
    KafkaTurn turn = turn(Variant.HEADPOND, 1, 1_000, 10);
    KafkaTurn.FullSpeed produce = turn.produce();
    assertThat(produce.seconds()).isEqualTo(2);
    assertThat(produce.records()).isEqualTo(1_000);
    assertThat(produce.recordsPerSecond()).isEqualTo(500);
    assertThat(produce.bytesPerSecond()).isEqualTo(512_000);
    assertThat(produce.mbPerSecond()).isEqualTo(0.512);
    assertThat(produce.brokerCpuUsPerRecord()).isEqualTo(2_000);
    assertThat(produce.loadGeneratorCpuUsPerRecord()).isEqualTo(1_000);
    assertThat(produce.brokerCpuUsPerMib()).isEqualTo(2_048_000);
    assertThat(turn.latency().brokerCpuUsPerRecord()).isEqualTo(2_000);
    assertThat(turn.latency().loadGeneratorCpuUsPerRecord()).isEqualTo(1_000);
  }

  @Test
  void theSlowestOfAThousandShowsInTheMaximumAndNotInP999() {
    long[] us = new long[2_000];
    Arrays.fill(us, 100);
    us[1_000] = 50_000;
    KafkaTurn.Paced figures = turn(Variant.HEADPOND, 1, 2_000, us).latency();
    assertThat(figures.p999Us()).isBetween(99.0, 101.0);
    assertThat(figures.maxUs()).isBetween(49_900.0, 50_100.0);
    assertThat(figures.records()).isEqualTo(2_000);
    assertThat(figures.sendLagP99Us()).isBetween(4.9, 5.1);
    assertThat(figures.segments()).isEqualTo(3);
  }

  @Test
  void theRateFollowsTheSize() {
    assertThat(new KafkaTurn.Load(64 << 10, "1", "none").defaultRate()).isEqualTo(256);
    assertThat(LOAD.defaultRate()).isEqualTo(5_000);
  }
}
