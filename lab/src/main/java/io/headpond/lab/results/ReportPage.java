// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import com.samskivert.mustache.Mustache;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.Units;
import io.headpond.cli.console.Version;
import io.headpond.cli.measure.Spread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One HTML document with its style, its script and its data in it; its tables need no script. The
 * names of the records' components are those of report.html, a Mustache template.
 */
final class ReportPage {

  private ReportPage() {}

  /** The whole page. */
  record Page(
      String headpond,
      List<GoalRow> goals,
      List<ResultPart> results,
      String style,
      String script,
      String license,
      String data) {}

  /** A goal beside what was measured. */
  record GoalRow(
      String bench,
      String load,
      String figure,
      String goal,
      String measured,
      String outcome,
      String state,
      List<Label> labels) {}

  /** One file. */
  record ResultPart(
      String id,
      String bench,
      String file,
      BenchResult result,
      String machine,
      String duration,
      List<Entry> versions,
      List<Entry> devices,
      List<Entry> settings,
      List<Chart> curves,
      List<LoadPart> loads) {}

  /** A name and what it says. */
  record Entry(String name, String value) {}

  /** One load of a file. */
  record LoadPart(
      String load, List<Label> labels, List<Row> ratios, List<Row> values, List<Chart> charts) {}

  /** One line of a table. */
  record Row(
      String figure, String better, String median, String spread, int rounds, String sense) {}

  static String html(Map<Path, BenchResult> results) throws IOException {
    List<Chart> charts = new ArrayList<>();
    List<ResultPart> parts = new ArrayList<>();
    for (Map.Entry<Path, BenchResult> entry : results.entrySet()) {
      parts.add(part("result-" + (parts.size() + 1), entry.getKey(), entry.getValue(), charts));
    }
    Page page =
        new Page(
            Version.number(),
            goals(results.values().stream().toList()),
            parts,
            resource("uPlot.min.css") + resource("report.css"),
            resource("uPlot.iife.min.js") + resource("report.js"),
            resource("uPlot.LICENSE"),
            Json.compact(charts.stream().map(Chart::plot).toList()).replace("<", "\\u003c"));
    return Mustache.compiler().compile(resource("report.html")).execute(page);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing in headpond-lab's jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<GoalRow> goals(List<BenchResult> results) {
    List<GoalRow> rows = new ArrayList<>();
    for (BenchResult result : results) {
      for (Series series : Series.of(result.figures())) {
        for (Goal goal : Goal.ALL) {
          if (goal.isFor(result.bench(), series)) {
            rows.add(row(result, goal, series));
          }
        }
      }
    }
    return rows;
  }

  private static GoalRow row(BenchResult result, Goal goal, Series series) {
    Optional<Label> unjudged = result.labels().stream().filter(Label::forbidsJudgement).findFirst();
    String outcome =
        unjudged.map(label -> "not judged: " + label.name()).orElseGet(() -> goal.outcome(series));
    return new GoalRow(
        result.bench(),
        series.figure().load(),
        series.name() + (goal.judged() == Goal.Judged.WORST ? ", worst" : ""),
        bound(goal, series),
        value(series.spread().median(), series) + " " + range(series),
        outcome,
        unjudged.isPresent() ? "quiet" : outcome.startsWith("met") ? "met" : "missed",
        result.labels());
  }

  private static String bound(Goal goal, Series series) {
    if (goal.max() == Double.POSITIVE_INFINITY) {
      return "≥ " + value(goal.min(), series);
    }
    return goal.min() > 0
        ? Units.number(goal.min()) + " to " + value(goal.max(), series)
        : "≤ " + value(goal.max(), series);
  }

  private static ResultPart part(String id, Path file, BenchResult result, List<Chart> charts) {
    List<Series> series = Series.of(result.figures());
    List<Chart> curves = Charts.curves(result.curves(), charts.size());
    charts.addAll(curves);
    List<LoadPart> loads = new ArrayList<>();
    for (String load : series.stream().map(s -> s.figure().load()).distinct().toList()) {
      List<Series> own = series.stream().filter(s -> s.figure().load().equals(load)).toList();
      List<Chart> drawn = Charts.of(own, charts.size());
      charts.addAll(drawn);
      loads.add(
          new LoadPart(
              load.isEmpty() ? "Figures" : load,
              result.labels(),
              own.stream().filter(s -> s.baseline() != null).map(ReportPage::row).toList(),
              own.stream().filter(s -> s.baseline() == null).map(ReportPage::row).toList(),
              drawn));
    }
    return new ResultPart(
        id,
        result.bench(),
        file.getFileName().toString(),
        result,
        machine(result.machine()),
        Units.duration(Duration.ofMillis((long) (result.durationSeconds() * 1e3))),
        entries(result.versions()),
        entries(result.devices()),
        entries(result.settings()),
        curves,
        loads);
  }

  private static String machine(BenchMachine machine) {
    return String.format(
        Locale.ROOT,
        "%s%s, %s of memory, %s, %s%s",
        machine.processor().isEmpty() ? "" : machine.processor() + ", ",
        Units.count(machine.processors(), "processor"),
        Units.bytes(machine.memoryBytes()),
        machine.kernel(),
        machine.architecture(),
        machine.virtual() ? ", a virtual machine" : "");
  }

  private static List<Entry> entries(Map<String, String> map) {
    return map.entrySet().stream().map(e -> new Entry(e.getKey(), e.getValue())).toList();
  }

  private static Row row(Series series) {
    return new Row(
        series.name(),
        series.figure().moreIsBetter() ? "more" : "less",
        value(series.spread().median(), series),
        range(series),
        series.values().length,
        series.baseline() == null ? "" : sense(series));
  }

  /** The side of 1 that the ratios are on. */
  static String sense(Series ratio) {
    Spread spread = ratio.spread();
    boolean more = ratio.figure().moreIsBetter();
    if (more ? spread.min() > 1 : spread.max() < 1) {
      return "better in every round";
    }
    if (more ? spread.max() < 1 : spread.min() > 1) {
      return "worse in every round";
    }
    return "on both sides of 1";
  }

  private static String value(double value, Series series) {
    return Units.number(value) + (series.baseline() == null ? " " + series.unit() : "");
  }

  private static String range(Series series) {
    return String.format(
        "(%s – %s)", Units.number(series.spread().min()), Units.number(series.spread().max()));
  }
}
