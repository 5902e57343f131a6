// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.console.Units;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.TextTable;
import io.headpond.lab.results.Change.Verdict;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The text of {@code headpond-lab compare}. */
final class ComparisonText {
  private final PrintWriter out;

  ComparisonText(PrintWriter out) {
    this.out = out;
  }

  void print(Path fileA, Path fileB, ResultComparison comparison) {
    out.printf("headpond-lab %s%n", comparison.a().bench());
    side("A", fileA, comparison.a());
    side("B", fileB, comparison.b());
    comparison.differences().forEach(text -> out.println("  DIFFERENT: " + text));
    List<String> loads = comparison.changes().stream().map(c -> c.a().figure().load()).toList();
    for (String load : loads.stream().distinct().toList()) {
      TextTable table =
          new TextTable().left("").left("A").left("B").right("B / A").right("p").left("");
      comparison.changes().stream()
          .filter(c -> c.a().figure().load().equals(load))
          .forEach(change -> row(table, change));
      out.printf("%n%s%n%s", load.isEmpty() ? "all" : load, table);
    }
    summary(comparison);
    out.flush();
  }

  private void side(String name, Path file, BenchResult result) {
    out.printf("  %s  %s, %s, Headpond %s%n", name, file, result.started(), result.headpond());
    result.labels().forEach(label -> out.println("     " + label));
  }

  private static void row(TextTable table, Change change) {
    Series a = change.a();
    table.row(
        (a.decides() ? a.figure().moreIsBetter() ? "+ " : "- " : "  ") + a.name(),
        text(a),
        text(change.b()),
        String.format(Locale.ROOT, "%.2f", change.times()),
        change.p() < 0.0001 ? "<0.0001" : String.format(Locale.ROOT, "%.4f", change.p()),
        change.verdict());
  }

  private static String text(Series series) {
    Spread spread = series.spread();
    return String.format(
        "%s (%s to %s) %s",
        Units.number(spread.median()),
        Units.number(spread.min()),
        Units.number(spread.max()),
        series.baseline() == null ? series.unit() : "x");
  }

  private void summary(ResultComparison comparison) {
    out.printf(
        "%n%d worse, %d better of %s. + more is better, - less is better: these figures decide.%n",
        comparison.count(Verdict.WORSE),
        comparison.count(Verdict.BETTER),
        Units.count(comparison.deciding(), "figure"));
    if (comparison.unmatched() > 0) {
      out.printf("%s in one of the two only.%n", Units.count(comparison.unmatched(), "figure"));
    }
    out.print(
        """
        Medians of the rounds (smallest to largest); a ratio is Headpond's value divided by the baseline's of
        the same round. p: chance of ranks as far apart if nothing changed (Mann-Whitney, two-sided). Of what
        is called better or worse at most one in twenty is expected to be chance (Benjamini-Hochberg).
        Not distinguishable isn't the same as unchanged: more rounds show smaller changes.
        """);
  }
}
