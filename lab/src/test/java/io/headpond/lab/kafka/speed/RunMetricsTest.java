// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.Spread;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.variant.Variant;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunMetricsTest {

  private static final Load LOAD = new Load(1024, "1", "none");
  private static final CpuTime CPU = new CpuTime(Duration.ofSeconds(2), Duration.ofSeconds(1));

  private static RunFigures run(Variant variant, int round, long records, long... latenciesUs) {
    Histogram latency = new Histogram(3);
    for (long us : latenciesUs) {
      latency.recordValue(us * 1_000);
    }
    return new RunFigures(
        LOAD,
        round,
        variant,
        LatencyFigures.of(100, latency, latency, CPU),
        null,
        ThroughputFigures.of(2_000_000_000L, records, records << 10, CPU),
        null,
        0,
        0);
  }

  private static List<Comparison<Load, Variant>> compare(RunFigures... runs) {
    return Comparison.of(List.of(runs), RunMetrics.ALL, Variant.HEADPOND);
  }

  private static Comparison<Load, Variant> find(
      List<Comparison<Load, Variant>> all, String metric, Variant variant) {
    return all.stream()
        .filter(c -> c.metric().equals(metric) && c.variant() == variant)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void headpondIsDividedByTheBaselineRoundByRound() {
    List<Comparison<Load, Variant>> all =
        compare(
            run(Variant.HEADPOND, 1, 1_000, 10),
            run(Variant.VANILLA_TMPFS, 1, 2_000, 20),
            run(Variant.HEADPOND, 2, 3_000, 40),
            run(Variant.VANILLA_TMPFS, 2, 1_000, 20));
    Comparison<Load, Variant> baseline = find(all, "produce_records", Variant.VANILLA_TMPFS);
    assertThat(baseline.headpondRatio()).isEqualTo(Spread.of(0.5, 3));
    assertThat(baseline.value()).isEqualTo(Spread.of(1_000, 500));
    assertThat(baseline.moreIsBetter()).isTrue();
    assertThat(find(all, "produce_records", Variant.HEADPOND).headpondRatio()).isNull();
    Spread p50 = find(all, "latency_p50", Variant.VANILLA_TMPFS).headpondRatio();
    assertThat(p50.min()).isBetween(0.49, 0.51);
    assertThat(p50.max()).isBetween(1.99, 2.01);
  }

  @Test
  void aPhaseThatWasNotMeasuredIsLeftOut() {
    List<Comparison<Load, Variant>> all = compare(run(Variant.HEADPOND, 1, 1_000, 10));
    assertThat(all).extracting(Comparison::metric).contains("produce_records", "latency_p99");
    assertThat(all)
        .extracting(Comparison::metric)
        .doesNotContain("consume_bytes", "roll_p999", "roll_max");
  }

  @Test
  void processorTimeIsPerRecordAndPerMib() {
    ThroughputFigures figures = run(Variant.HEADPOND, 1, 1_000, 10).produce();
    assertThat(figures.recordsPerSecond()).isEqualTo(500);
    assertThat(figures.bytesPerSecond()).isEqualTo(512_000);
    assertThat(figures.brokerCpuUsPerRecord()).isEqualTo(2_000);
    assertThat(figures.loadGeneratorCpuUsPerRecord()).isEqualTo(1_000);
    assertThat(figures.brokerCpuUsPerMib()).isEqualTo(2_048_000);
  }

  @Test
  void theSlowestOfAThousandShowsInTheMaximumAndNotInP999() {
    long[] us = new long[2_000];
    java.util.Arrays.fill(us, 100);
    us[1_000] = 50_000;
    LatencyFigures figures = run(Variant.HEADPOND, 1, 1, us).latency();
    assertThat(figures.p999Us()).isBetween(99.0, 101.0);
    assertThat(figures.maxUs()).isBetween(49_900.0, 50_100.0);
    assertThat(figures.records()).isEqualTo(2_000);
  }
}
