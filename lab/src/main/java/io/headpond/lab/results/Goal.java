// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.measure.Spread;
import java.util.List;
import java.util.Objects;

/**
 * The goal of a figure.
 *
 * @param bench that measures it
 * @param metric of the figure
 * @param variant of the figure
 * @param baseline that its values are divided by; null if the value itself counts
 * @param min smallest good value
 * @param max largest good value
 * @param judged which of the rounds' values counts
 */
record Goal(
    String bench,
    String metric,
    String variant,
    String baseline,
    double min,
    double max,
    Judged judged) {

  enum Judged {
    MEDIAN,
    WORST
  }

  /** All goals of docs/benchmarks.md. */
  static final List<Goal> ALL =
      List.of(
          atLeast("kafka", "produce_records", "headpond", "vanilla-tmpfs", 0.95),
          atMost("kafka", "produce_cpu", "headpond", "vanilla-tmpfs", 1.05),
          atLeast("kafka", "consume_bytes", "headpond", "vanilla-tmpfs", 0.95),
          atMost("kafka", "latency_p99", "headpond", "vanilla-tmpfs", 1),
          atLeast("journal", "throughput", "headpond", "default", 1.3),
          atMost("journal", "journal_cpu", "headpond", "default", 0.7),
          atLeast("migration", "migration_rate", "migration", "dd", 0.9),
          atMost("migration", "append_p99", "while migrating", "otherwise", 1.2),
          atMost("migration", "switch_stall", "headpond", null, 5),
          new Goal("migration", "switch_stall", "headpond", null, 0, 20, Judged.WORST),
          new Goal("migration", "burst", "measured", "predicted", 0.95, 1.05, Judged.MEDIAN),
          atLeast("migration", "startup_scan", "headpond", null, 50_000),
          atMost("isolation", "growth_p99", "headpond", null, 1.2),
          atMost("isolation", "growth_tail_p99", "headpond", null, 1.2));

  private static Goal atLeast(
      String bench, String metric, String variant, String baseline, double min) {
    return new Goal(bench, metric, variant, baseline, min, Double.POSITIVE_INFINITY, Judged.MEDIAN);
  }

  private static Goal atMost(
      String bench, String metric, String variant, String baseline, double max) {
    return new Goal(bench, metric, variant, baseline, 0, max, Judged.MEDIAN);
  }

  /** True if it is this benchmark's figure that the goal is set for. */
  boolean isFor(String measured, Series series) {
    return bench.equals(measured)
        && metric.equals(series.figure().metric())
        && variant.equals(series.figure().variant())
        && Objects.equals(baseline, series.baseline() == null ? null : series.baseline().variant());
  }

  /** The outcome, in words. */
  String outcome(Series series) {
    Spread spread = series.spread();
    boolean best = good(spread.min()) || good(spread.max());
    boolean worst = good(spread.min()) && good(spread.max());
    if (judged == Judged.WORST) {
      return worst ? "met" : "missed";
    }
    if (good(spread.median())) {
      return worst ? "met in every round" : "met, not in every round";
    }
    return best ? "missed, not in every round" : "missed in every round";
  }

  private boolean good(double value) {
    return value >= min && value <= max;
  }
}
