// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.variant.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class UpkeepMetricsTest {

  private final List<UpkeepTurn> turns = new ArrayList<>();

  private static Histogram millis(long millis) {
    Histogram nanos = new Histogram(3);
    nanos.recordValue(millis * 1_000_000);
    return nanos;
  }

  private void turn(Chore chore, Variant variant, long quiet, long beside, long commits) {
    turns.add(
        new UpkeepTurn(
            chore.key(),
            chore,
            1,
            variant,
            2,
            millis(quiet),
            millis(beside),
            4,
            new DeviceIo(1, 2, 3, 4_000_000, 5, commits),
            chore.restarts() ? new UpkeepTurn.FirstReads(0.5, 40e6) : null,
            new CpuTime(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            0));
  }

  private List<Comparison<String, Variant>> of(Chore chore, String metric) {
    return Comparison.of(turns, UpkeepMetrics.ALL, Variant.HEADPOND).stream()
        .filter(c -> c.load().equals(chore.key()) && c.metric().equals(metric))
        .toList();
  }

  private double ratio(Chore chore, String metric) {
    return of(chore, metric).stream()
        .filter(c -> c.variant() == Variant.VANILLA_DISK)
        .findFirst()
        .orElseThrow()
        .headpondRatio()
        .median();
  }

  @Test
  void eachChoreIsComparedByItself() {
    turn(Chore.DELETE, Variant.HEADPOND, 2, 3, 10);
    turn(Chore.DELETE, Variant.VANILLA_DISK, 2, 12, 40);
    turn(Chore.RESTART, Variant.HEADPOND, 2, 4, 8);
    turn(Chore.RESTART, Variant.VANILLA_DISK, 2, 4, 8);

    assertThat(ratio(Chore.DELETE, "beside_p99")).isCloseTo(0.25, within(0.01));
    assertThat(ratio(Chore.DELETE, "growth_p99")).isCloseTo(0.25, within(0.01));
    assertThat(ratio(Chore.DELETE, "home_commits")).isCloseTo(0.25, within(1e-9));
    assertThat(ratio(Chore.RESTART, "cold_reads")).isCloseTo(1, within(1e-9));
    assertThat(of(Chore.DELETE, "cold_reads")).isEmpty();
    assertThat(UpkeepMetrics.latencies(turns))
        .containsKeys("delete-headpond-quiet", "restart-vanilla-disk-beside");
  }

  @Test
  void whatTheKernelDoesNotCountIsNoFigure() {
    turn(Chore.DELETE, Variant.HEADPOND, 2, 3, -1);
    turn(Chore.DELETE, Variant.VANILLA_DISK, 2, 3, -1);

    assertThat(of(Chore.DELETE, "home_commits")).isEmpty();
    assertThat(of(Chore.DELETE, "home_written")).hasSize(2);
  }
}
