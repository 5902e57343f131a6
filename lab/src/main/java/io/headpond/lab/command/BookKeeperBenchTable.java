// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.lab.bookkeeper.speed.BookKeeperBench;
import io.headpond.lab.bookkeeper.speed.BookKeeperBenchSettings;
import io.headpond.lab.bookkeeper.speed.LoadPoint;
import io.headpond.lab.bookkeeper.speed.TurnFigures;
import io.headpond.lab.bookkeeper.speed.TurnMetrics;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The text of {@code headpond-lab run bookkeeper}. */
final class BookKeeperBenchTable {

  private final PrintWriter out;
  private final BookKeeperBenchSettings settings;

  BookKeeperBenchTable(PrintWriter out, BookKeeperBenchSettings settings) {
    this.out = out;
    this.settings = settings;
  }

  /** Prints what is going to be measured, and where. */
  void introduce(BookKeeperBench bench) throws IOException {
    out.printf(
        "BookKeeper %s on %s, %s; the client shares them%n",
        bench.version(),
        settings.java(),
        Units.count(Runtime.getRuntime().availableProcessors(), "processor"));
    Map<String, String> places = new LinkedHashMap<>();
    for (JournalVariant variant : settings.variants()) {
      places.put(variant.toString(), bench.describe(variant));
    }
    out.print(TextTable.pairs(places));
    if (bench.fastIsVolatile()) {
      out.println(
          "  VOLATILE: a power cut would lose it; memory stands in for persistent memory here");
    }
    out.printf(
        Locale.ROOT,
        "%s of %.1f s in %s, each with %.1f s of warm-up%n%n",
        Units.count(
            (long) settings.variants().size()
                * settings.points().size()
                * settings.rounds()
                * settings.starts(),
            "turn"),
        settings.seconds(),
        Units.count(settings.starts(), "start"),
        settings.warmUpSeconds());
    out.flush();
  }

  /** One finished turn in one line. */
  static String line(TurnFigures t) {
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

  static String text(LoadPoint point) {
    return Units.bytes(point.entryBytes()) + " entries, window " + point.window();
  }

  /** The comparison, a table for each load; false if adds failed, so that it means nothing. */
  boolean print(List<TurnFigures> turns, List<Comparison<LoadPoint, JournalVariant>> comparisons) {
    ComparisonTable<JournalVariant> table = new ComparisonTable<>(out, settings.variants());
    for (LoadPoint point : settings.points()) {
      out.printf(
          "%n%s; %s in %s%n",
          text(point),
          Units.count(settings.starts() * settings.rounds(), "round"),
          Units.count(settings.starts(), "start"));
      table.print(point, TurnMetrics.ALL, comparisons);
    }
    table.warnOfNoise(turns.stream().mapToDouble(TurnFigures::otherCpuShare).max().orElse(0));
    long failures = turns.stream().mapToLong(TurnFigures::failures).sum();
    if (failures > 0) {
      out.printf("%nNOT VALID: %s failed%n", Units.count(failures, "add"));
    }
    table.explain(
        "+ more is better, - less is better. Latency goes from sending to acknowledgement; CPU is user"
            + " and system time.");
    return failures == 0;
  }
}
