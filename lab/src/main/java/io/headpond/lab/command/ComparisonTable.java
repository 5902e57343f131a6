// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The figures of variants under a load: a line for each metric, Headpond's value first, then each
 * baseline's with Headpond's ratio to it.
 *
 * @param variants Headpond, then its baselines
 */
record ComparisonTable<V extends ComparedVariant>(PrintWriter out, List<V> variants) {

  /** The kernel's own threads and the interrupts of engine and client take about half of this. */
  private static final double QUIET_SHARE = 0.2;

  /** The table of one load. */
  <L, F> void print(L load, List<Metric<F>> metrics, List<Comparison<L, V>> comparisons) {
    TextTable table = new TextTable().left("");
    for (V variant : variants) {
      table.right(variant.toString());
      if (variant != variants.get(0)) {
        table.left("");
      }
    }
    for (Metric<F> metric : metrics) {
      List<Comparison<L, V>> cells =
          comparisons.stream()
              .filter(c -> c.load().equals(load) && c.metric().equals(metric.key()))
              .toList();
      if (!cells.isEmpty()) {
        table.row(row(metric, cells));
      }
    }
    out.print(table);
  }

  private <L> List<String> row(Metric<?> metric, List<Comparison<L, V>> cells) {
    List<String> row = new ArrayList<>();
    row.add((metric.moreIsBetter() ? "+ " : "- ") + metric.title() + ", " + metric.unit());
    for (V variant : variants) {
      Optional<Comparison<L, V>> cell =
          cells.stream().filter(c -> c.variant() == variant).findFirst();
      row.add(cell.map(c -> Units.number(c.value().median())).orElse(""));
      if (variant != variants.get(0)) {
        row.add(cell.map(Comparison::headpondRatio).map(ComparisonTable::text).orElse(""));
      }
    }
    return row;
  }

  private static String text(Spread ratio) {
    return String.format(
        "%6s (%5s to %5s)", ratio(ratio.median()) + "x", ratio(ratio.min()), ratio(ratio.max()));
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  /** Explains the tables' values and ratios, and in a line of its own what else must be known. */
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
