// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.TextTable;
import io.headpond.lab.hosts.HostReport;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.results.Label;
import io.headpond.lab.scenario.IsolationTurn;
import io.headpond.lab.scenario.LowestLatencyTurn;
import io.headpond.lab.scenario.PointFigures;
import io.headpond.lab.scenario.PointMetrics;
import io.headpond.lab.scenario.PointTurn;
import io.headpond.lab.scenario.Rigs;
import io.headpond.lab.scenario.ScenarioFigures;
import io.headpond.lab.scenario.ScenarioListener;
import io.headpond.lab.scenario.SearchTurn;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The screen of a scenario: its progress, a line for each turn, and the tables in the end. */
final class ScenarioScreen implements ScenarioListener {

  private final PrintWriter out;
  private final Progress progress;
  private final List<PointTurn> points = new ArrayList<>();
  private final List<SearchTurn> searches = new ArrayList<>();

  ScenarioScreen(PrintWriter out, Progress progress) {
    this.out = out;
    this.progress = progress;
  }

  /**
   * Prints what is going to be measured, and where.
   *
   * @param hosts that make the load; null: this process does
   * @param volatileDevice whether a power cut takes what the fast device holds
   */
  void introduce(Rigs rigs, LoadHosts hosts, boolean volatileDevice) throws IOException {
    progress.clear();
    out.printf(
        "%s %s, %s; %s%n",
        rigs.engine(),
        rigs.version(),
        Units.count(Runtime.getRuntime().availableProcessors(), "processor"),
        hosts == null
            ? "the load generator shares them"
            : "the load comes from " + Units.count(hosts.size(), "host"));
    out.print(TextTable.places(rigs.places(), volatileDevice));
    out.flush();
  }

  /** The hosts that were reached; from now on it is told if one of them fails. */
  void introduce(LoadHosts hosts) {
    progress.clear();
    Map<String, String> clocks = new LinkedHashMap<>();
    for (HostReport host : hosts.reports()) {
      clocks.put(
          "host " + host.name(),
          String.format(
              Locale.ROOT,
              "clock %.3f ms %s, round trip %.3f ms",
              Math.abs(host.clockAheadUs()) / 1e3,
              host.clockAheadUs() < 0 ? "behind" : "ahead",
              host.roundTripUs() / 1e3));
    }
    out.print(TextTable.pairs(clocks));
    out.flush();
    hosts.onFailure(
        failure -> {
          progress.clear();
          out.println("INCOMPLETE: " + failure + "; the others go on");
          out.flush();
        });
  }

  /** Prints the figures of each host. */
  void printHosts(List<HostReport> hosts) {
    for (HostReport host : hosts) {
      out.printf(
          Locale.ROOT,
          "host %s: %,d messages acknowledged, warm-up included; %.1f s of CPU; began at most"
              + " %.1f ms late%s%n",
          host.name(),
          host.acknowledged(),
          host.cpuSeconds(),
          host.startLateUsMax() / 1e3,
          host.failure() == null ? "" : "; FAILED");
    }
    out.flush();
  }

  @Override
  public void progress(String text) {
    progress.show(text);
  }

  @Override
  public void finished(PointTurn turn) {
    points.add(turn);
    print(turn.load(), turn.round(), turn.variant(), line(turn));
  }

  private static String line(PointTurn turn) {
    PointFigures f = turn.figures();
    List<String> parts = new ArrayList<>();
    if (turn.point().producers() > 0) {
      parts.add(
          String.format(
              Locale.ROOT, "%,.0f/s, %.1f MB/s", f.perSecond(), f.bytesPerSecond() / 1e6));
    }
    if (!turn.point().pace().fullSpeed() && turn.point().producers() > 0) {
      parts.add(
          String.format(
              Locale.ROOT,
              "P50 %.2f P99 %.2f P99.9 %.2f max %.2f ms%s",
              f.publishUs(50) / 1e3,
              f.publishUs(99) / 1e3,
              f.publishUs(99.9) / 1e3,
              f.publishUs(100) / 1e3,
              f.achieved(turn.point()) ? "" : ", FELL BEHIND"));
    }
    if (turn.point().consumers() > 0 && !turn.point().pace().fullSpeed()) {
      parts.add(String.format(Locale.ROOT, "end to end P99 %.2f ms", f.endToEndUs(99) / 1e3));
    }
    if (turn.point().backlogBytes() > 0) {
      parts.add(String.format(Locale.ROOT, "backlog %.0f MB/s", f.replayedPerSecond() / 1e6));
    }
    if (f.tier() != null) {
      parts.add(
          String.format(
              Locale.ROOT,
              "in the tier %.0f %% of appends, %.0f %% of reads; migrated %.1f MB/s, %d overflowed",
              100 * f.tier().appendedShare(),
              100 * f.tier().readShare(),
              f.tier().migratedPerSecond() / 1e6,
              f.overflowSegments()));
    }
    return String.join("; ", parts);
  }

  @Override
  public void found(SearchTurn turn) {
    searches.add(turn);
    print(
        turn.load(),
        turn.round(),
        turn.variant(),
        String.format(
            Locale.ROOT,
            "%,.0f/s, %.1f MB/s in %s",
            turn.search().perSecond(),
            turn.search().bytesPerSecond() / 1e6,
            Units.count(turn.search().steps().size(), "step")));
    turn.search()
        .steps()
        .forEach(
            step ->
                out.printf(
                    Locale.ROOT,
                    "    %,10.0f/s: %,10.0f/s achieved, %8.2f ms%s%n",
                    step.perSecond(),
                    step.achievedPerSecond(),
                    step.latencyUs() / 1e3,
                    step.kept() ? ", kept" : ""));
    out.flush();
  }

  private void print(String load, int round, ComparedVariant variant, String figures) {
    progress.clear();
    out.printf("round %d, %s, %s: %s%n", round, load, variant.key(), figures);
    out.flush();
  }

  /** The figures so far. */
  ScenarioFigures figures() {
    return new ScenarioFigures(points, searches);
  }

  /** The largest share of the processors that something else used in a turn. */
  double othersShareMax() {
    return points.stream().mapToDouble(t -> t.figures().otherCpuShare()).max().orElse(0);
  }

  /**
   * The labels of the figures: a tier that was too small makes them worth nothing, unless that is
   * what was measured.
   */
  List<Label> labels() {
    long overflowed =
        points.stream()
            .filter(t -> t.figures().tier() == null)
            .mapToLong(t -> Math.max(0, t.figures().overflowSegments()))
            .sum();
    return overflowed == 0
        ? List.of()
        : List.of(
            new Label(
                "NOT COMPARABLE",
                Units.count(overflowed, "segment") + " overflowed: the tier was too small"));
  }

  /**
   * The comparisons, a table for each load.
   *
   * @param more labels that are known beforehand
   */
  void printTables(List<Label> more) {
    progress.clear();
    ScenarioFigures figures = figures();
    tables(SearchTurn.METRICS, figures.searchComparisons());
    tables(PointMetrics.ALL, figures.pointComparisons());
    tables(LowestLatencyTurn.METRICS, figures.lowestLatencyComparisons());
    tables(IsolationTurn.METRICS, figures.isolationComparisons());
    ComparisonTable<ComparedVariant> table = table(List.of());
    table.warnOfNoise(othersShareMax());
    Stream.concat(labels().stream(), more.stream()).forEach(label -> out.printf("%n%s%n", label));
    table.explain(
        "+ more is better, - less is better. Latency counts from when a message was due; CPU is user"
            + " and system time.");
  }

  private ComparisonTable<ComparedVariant> table(List<ComparedVariant> variants) {
    return new ComparisonTable<>(out, variants);
  }

  private <F> void tables(
      List<Metric<F>> metrics, List<Comparison<String, ComparedVariant>> comparisons) {
    for (String load : comparisons.stream().map(Comparison::load).distinct().toList()) {
      out.printf("%n%s%n", load);
      List<ComparedVariant> variants =
          comparisons.stream()
              .filter(c -> c.load().equals(load))
              .map(Comparison::variant)
              .distinct()
              .toList();
      table(variants).print(load, metrics, comparisons);
    }
  }
}
