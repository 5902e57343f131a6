// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.TextTable;
import io.headpond.lab.results.Label;
import io.headpond.lab.scenario.RigSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The text of {@code headpond-lab run bookkeeper}. */
final class BookKeeperBenchTable {

  private final PrintWriter out;
  private final BookKeeperPlan plan;

  BookKeeperBenchTable(PrintWriter out, BookKeeperPlan plan) {
    this.out = out;
    this.plan = plan;
  }

  /** Prints what is going to be measured, and where. */
  void introduce(RigSettings place, boolean fastVolatile) throws IOException {
    out.printf(
        "BookKeeper %s on %s, %s; the client shares them%n",
        place.release().version(),
        place.java(),
        Units.count(Runtime.getRuntime().availableProcessors(), "processor"));
    out.print(
        TextTable.places(
            JournalVariant.places(plan.variants(), place.fast(), place.home()), fastVolatile));
    out.printf(
        Locale.ROOT,
        "%s of %.1f s in %s, each with %.1f s of warm-up%n%n",
        Units.count(
            (long) plan.variants().size() * plan.points().size() * plan.rounds() * plan.starts(),
            "turn"),
        plan.seconds(),
        Units.count(plan.starts(), "start"),
        plan.warmUpSeconds());
    out.flush();
  }

  /** One finished turn in one line. */
  static String line(BookKeeperTurn t) {
    return String.format(
        Locale.ROOT,
        "round %d, %s, %s: %,.0f adds/s, %.0f MB/s, P50 %,.0f P99 %,.0f P99.9 %,.0f max %,.0f µs, bookie"
            + " CPU %.1f µs/add%s",
        t.round(),
        text(t.point()),
        t.variant(),
        t.addsPerSecond(),
        t.mbPerSecond(),
        t.p50Us(),
        t.p99Us(),
        t.p999Us(),
        t.maxUs(),
        t.bookieCpuUsPerAdd(),
        t.failures() > 0 ? "; FAILED: " + Units.count(t.failures(), "add") : "");
  }

  static String text(BookKeeperTurn.Load point) {
    return Units.bytes(point.entryBytes()) + " entries, window " + point.window();
  }

  /** The comparison, a table for each load, and what must be said about it. */
  void print(
      List<BookKeeperTurn> turns,
      List<Comparison<BookKeeperTurn.Load, JournalVariant>> comparisons,
      List<Label> labels) {
    ComparisonTable<JournalVariant> table = new ComparisonTable<>(out, plan.variants());
    for (BookKeeperTurn.Load point :
        comparisons.stream().map(Comparison::load).distinct().toList()) {
      out.printf(
          "%n%s; %s in %s%n",
          text(point),
          Units.count(plan.starts() * plan.rounds(), "round"),
          Units.count(plan.starts(), "start"));
      table.print(point, BookKeeperTurn.METRICS, comparisons);
    }
    table.warnOfNoise(turns.stream().mapToDouble(BookKeeperTurn::otherCpuShare).max().orElse(0));
    labels.forEach(label -> out.printf("%n%s%n", label));
    table.explain(
        "+ more is better, - less is better. Latency goes from sending to acknowledgement; CPU is user"
            + " and system time.");
  }
}
