// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.lab.comparison.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The figures by which variants are compared; what is predicted is Headpond's alone. */
public final class BurstMetrics {

  /** All metrics, in the order of a table. */
  public static final List<Metric<BurstTurn>> ALL =
      List.of(
          new Metric<>(
              "burst_bytes",
              "in bursts, throughput",
              "MB/s",
              true,
              turn -> turn.burstBytesPerSecond() / 1e6),
          less("burst_p50", "in bursts, publish P50", 50, true),
          less("burst_p99", "in bursts, publish P99", 99, true),
          less("burst_max", "in bursts, publish max", 100, true),
          less("between_p50", "between bursts, publish P50", 50, false),
          less("between_p99", "between bursts, publish P99", 99, false),
          less("between_max", "between bursts, publish max", 100, false));

  private BurstMetrics() {}

  /** Publish latencies, nanoseconds, round by round, by variant and whether it was in bursts. */
  public static Map<String, List<Histogram>> latencies(List<BurstTurn> turns) {
    Map<String, List<Histogram>> all = new LinkedHashMap<>();
    for (BurstTurn turn : turns) {
      String variant = turn.variant().key();
      all.computeIfAbsent(variant + "-in-bursts", n -> new ArrayList<>()).add(turn.inBursts());
      all.computeIfAbsent(variant + "-between-bursts", n -> new ArrayList<>()).add(turn.between());
    }
    return all;
  }

  private static Metric<BurstTurn> less(
      String key, String title, double percentile, boolean inBursts) {
    return new Metric<>(
        key,
        title,
        "ms",
        false,
        turn -> {
          Histogram nanos = inBursts ? turn.inBursts() : turn.between();
          return nanos.getTotalCount() == 0
              ? Double.NaN
              : nanos.getValueAtPercentile(percentile) / 1e6;
        });
  }
}
