// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.Percentile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The figures by which variants are compared. */
public final class FailureMetrics {

  /** All metrics, in the order of a table: phase by phase, then the return. */
  public static final List<Metric<FailureTurn>> ALL = all();

  private FailureMetrics() {}

  private static List<Metric<FailureTurn>> all() {
    List<Metric<FailureTurn>> all = new ArrayList<>();
    for (FailurePhase phase : FailurePhase.values()) {
      all.add(latency(phase, "p50", "P50", 50));
      all.add(latency(phase, "p99", "P99", 99));
      all.add(latency(phase, "max", "max", 100));
    }
    for (FailurePhase phase : List.of(FailurePhase.DEAD, FailurePhase.RETURNING)) {
      all.add(
          new Metric<>(
              phase.key() + "_gap",
              phase.title() + ", longest without any acknowledgement",
              "ms",
              false,
              turn -> 1e3 * turn.gapSeconds().getOrDefault(phase, Double.NaN)));
    }
    all.add(
        new Metric<>(
            "growth_p99",
            "publish P99, one dead / all three",
            "times",
            false,
            turn ->
                percentile(turn, FailurePhase.DEAD, 99)
                    / percentile(turn, FailurePhase.BEFORE, 99)));
    all.add(
        new Metric<>(
            "return",
            "from its start until all is in sync",
            "s",
            false,
            FailureTurn::returnSeconds));
    return List.copyOf(all);
  }

  private static Metric<FailureTurn> latency(
      FailurePhase phase, String key, String title, double percentile) {
    return new Metric<>(
        phase.key() + "_" + key,
        phase.title() + ", publish " + title,
        "ms",
        false,
        turn -> percentile(turn, phase, percentile));
  }

  /** Milliseconds; NaN if nothing was acknowledged in the phase. */
  private static double percentile(FailureTurn turn, FailurePhase phase, double percentile) {
    Histogram nanos = turn.publish().get(phase);
    return nanos == null ? Double.NaN : Percentile.millis(nanos, percentile);
  }

  /**
   * Publish latencies, nanoseconds, round by round, by node, variant and phase.
   *
   * @param engine of the turns
   */
  public static Map<String, List<Histogram>> latencies(
      FailureEngine engine, List<FailureTurn> turns) {
    Map<String, List<Histogram>> all = new LinkedHashMap<>();
    for (FailureTurn turn : turns) {
      turn.publish()
          .forEach(
              (phase, nanos) ->
                  all.computeIfAbsent(
                          String.join("-", engine.node(), turn.variant().key(), phase.key()),
                          n -> new ArrayList<>())
                      .add(nanos));
    }
    return all;
  }

  /** Values of one phase's percentile, milliseconds; for those who print a line. */
  public static double millis(FailureTurn turn, FailurePhase phase, double percentile) {
    return turn.publish().get(phase).getValueAtPercentile(percentile) / 1e6;
  }
}
