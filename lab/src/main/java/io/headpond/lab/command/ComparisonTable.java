// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.Spread;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * What variants did under a load: a line for each metric, Headpond's value first, then each
 * baseline's with Headpond's ratio to it.
 *
 * @param titleWidth of the metrics' column
 * @param variants Headpond, then its baselines
 */
record ComparisonTable<V extends ComparedVariant>(
    PrintWriter out, int titleWidth, List<V> variants) {

  private static final int VALUE_WIDTH = 11;
  private static final int BASELINE_WIDTH = 34;

  /** The kernel's own threads and the interrupts of engine and client take about half of this. */
  private static final double QUIET_SHARE = 0.2;

  /** The table of one load. */
  <L, F> void print(L load, List<Metric<F>> metrics, List<Comparison<L, V>> comparisons) {
    header();
    for (Metric<F> metric : metrics) {
      List<Comparison<L, V>> cells =
          comparisons.stream()
              .filter(c -> c.load().equals(load) && c.metric().equals(metric.key()))
              .toList();
      if (!cells.isEmpty()) {
        row(metric, cells);
      }
    }
  }

  private void header() {
    StringBuilder line = new StringBuilder(" ".repeat(titleWidth));
    for (V variant : variants) {
      int width = variant == variants.get(0) ? VALUE_WIDTH : BASELINE_WIDTH;
      line.append(String.format("%" + width + "s", variant));
    }
    out.println(line);
  }

  private <L> void row(Metric<?> metric, List<Comparison<L, V>> cells) {
    StringBuilder line =
        new StringBuilder(
            String.format(
                "%-" + titleWidth + "s",
                (metric.moreIsBetter() ? "+ " : "- ") + metric.title() + ", " + metric.unit()));
    for (V variant : variants) {
      line.append(
          cells.stream()
              .filter(cell -> cell.variant() == variant)
              .findFirst()
              .map(this::text)
              .orElse(" ".repeat(variant == variants.get(0) ? VALUE_WIDTH : BASELINE_WIDTH)));
    }
    out.println(line.toString().stripTrailing());
  }

  private String text(Comparison<?, V> cell) {
    String value = Units.number(cell.value().median());
    Spread spread = cell.headpondRatio();
    if (spread == null) {
      boolean baseline = cell.variant() != variants.get(0);
      return String.format(
          baseline ? "%" + (BASELINE_WIDTH - 23) + "s" + " ".repeat(23) : "%" + VALUE_WIDTH + "s",
          value);
    }
    return String.format(
        "%" + (BASELINE_WIDTH - 23) + "s %6s (%5s to %5s)",
        value,
        ratio(spread.median()) + "x",
        ratio(spread.min()),
        ratio(spread.max()));
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  /** What the tables' values and ratios are, and in a line of its own what else must be known. */
  void explain(String more) {
    out.printf(
        "%nEach value is the median of the rounds; Nx is headpond's divided by the baseline's, round by"
            + " round: median (min to max).%n");
    out.println(more);
    out.flush();
  }

  /** A warning if something else used much of the processors. */
  void warnOfNoise(double otherCpuShare) {
    if (otherCpuShare > QUIET_SHARE) {
      out.printf(
          Locale.ROOT,
          "%nNOISY: something else used up to %.0f %% of the processors meanwhile; these figures mean"
              + " little.%n",
          100 * otherCpuShare);
    }
  }
}
