// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadIntervalTest {

  private static Histogram histogram() {
    return new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  }

  private static LoadInterval interval(Histogram publish) {
    return new LoadInterval(
        publish.getTotalCount(), 1_000, publish, publish, new Histogram(PointRun.DIGITS), 7, 3);
  }

  @Test
  void aPercentileOfTheSumIsThatOfAllValuesAndNoAverage() {
    Histogram fast = histogram();
    Histogram slow = histogram();
    Histogram all = histogram();
    for (int i = 1; i <= 9_900; i++) {
      fast.recordValue(1_000 + i);
      all.recordValue(1_000 + i);
    }
    for (int i = 1; i <= 100; i++) {
      slow.recordValue(50_000_000L + i * 1_000L);
      all.recordValue(50_000_000L + i * 1_000L);
    }

    LoadInterval sum = LoadInterval.sum(List.of(interval(fast), interval(slow)));

    assertThat(sum.messages()).isEqualTo(10_000);
    assertThat(sum.bytes()).isEqualTo(2_000);
    assertThat(sum.replayedBytes()).isEqualTo(14);
    assertThat(sum.failures()).isEqualTo(6);
    assertThat(sum.sendLag()).isEqualTo(all);
    assertThat(sum.publish().getTotalCount()).isEqualTo(10_000);
    for (double percentile : new double[] {50, 99, 99.5, 99.9, 100}) {
      assertThat(sum.publish().getValueAtPercentile(percentile))
          .as("P" + percentile)
          .isEqualTo(all.getValueAtPercentile(percentile));
    }
    long average = (fast.getValueAtPercentile(99) + slow.getValueAtPercentile(99)) / 2;
    assertThat(sum.publish().getValueAtPercentile(99)).isLessThan(average / 100);
  }

  @Test
  void nothingAddsUpToNothing() {
    LoadInterval sum = LoadInterval.sum(List.of());
    assertThat(sum.messages()).isZero();
    assertThat(sum.publish().getTotalCount()).isZero();
  }
}
