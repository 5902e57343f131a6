// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.console.Units;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.results.Chart.Line;
import io.headpond.lab.results.Chart.Plot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The charts of one load: ratios to each baseline, latency percentiles, throughput by round; and
 * curves over several loads.
 */
final class Charts {
  /** The metrics of one latency, with what stands below the axis. */
  private static final Pattern PERCENTILE = Pattern.compile("(.+)_(p50|p99|p999|max)");

  private static final Map<String, String> PERCENTILES =
      Map.of("p50", "P50", "p99", "P99", "p999", "P99.9", "max", "max");

  /** Points of a curve that are read out one by one. */
  private static final int POINTS_SAID_MAX = 20;

  private final List<Series> series;
  private final int first;
  private final List<Chart> charts = new ArrayList<>();

  private Charts(List<Series> series, int first) {
    this.series = series;
    this.first = first;
  }

  /** The charts of all values and ratios of a load; numbered from {@code first} on. */
  static List<Chart> of(List<Series> series, int first) {
    Charts drawn = new Charts(series, first);
    drawn.ratios();
    drawn.percentiles();
    drawn.rounds();
    return drawn.charts;
  }

  /** Curves; numbered from {@code first} on. */
  static List<Chart> curves(List<Curve> curves, int first) {
    Charts drawn = new Charts(List.of(), first);
    for (Curve curve : curves) {
      List<Double> x =
          curve.lines().stream().flatMap(l -> l.x().stream()).distinct().sorted().toList();
      drawn.add(
          curve.title(),
          curve.title()
              + ". "
              + curve.lines().stream().map(Charts::words).collect(Collectors.joining()),
          new Plot(
              "curve",
              curve.yTitle(),
              curve.logarithmic(),
              x.stream().map(Object::toString).toList(),
              curve.lines().stream()
                  .map(l -> new Line(l.name(), x.stream().map(y(l)::get).toList(), List.of()))
                  .toList(),
              curve.xTitle()));
    }
    return drawn.charts;
  }

  private static Map<Double, Double> y(Curve.Line line) {
    Map<Double, Double> values = new HashMap<>();
    for (int i = 0; i < line.x().size(); i++) {
      values.put(line.x().get(i), line.y().get(i));
    }
    return values;
  }

  private static String words(Curve.Line line) {
    if (line.y().size() > POINTS_SAID_MAX) {
      return String.format(
          "%s: %s to %s. ",
          line.name(),
          Units.number(Collections.min(line.y())),
          Units.number(Collections.max(line.y())));
    }
    return IntStream.range(0, line.x().size())
        .mapToObj(i -> Units.number(line.x().get(i)) + ": " + Units.number(line.y().get(i)))
        .collect(Collectors.joining(", ", line.name() + " at ", ". "));
  }

  private void add(String caption, String alternative, Plot plot) {
    charts.add(new Chart(first + charts.size(), caption, alternative, plot));
  }

  private void ratios() {
    List<Series> ratios = series.stream().filter(s -> s.baseline() != null).toList();
    for (String pair : ratios.stream().map(Charts::pair).distinct().toList()) {
      List<Series> own = ratios.stream().filter(s -> pair(s).equals(pair)).toList();
      List<Integer> senses = own.stream().map(Charts::sense).toList();
      add(
          "Ratios, " + pair,
          "Ratios with the rounds' spread. " + words(own, Series::title),
          new Plot(
              "ratios",
              "",
              true,
              own.stream().map(s -> (s.figure().moreIsBetter() ? "+ " : "- ") + s.title()).toList(),
              List.of(
                  new Line("median", each(own, Spread::median), senses),
                  new Line("smallest", each(own, Spread::min), List.of()),
                  new Line("largest", each(own, Spread::max), List.of())),
              null));
    }
  }

  private static String pair(Series ratio) {
    return ratio.figure().variant() + " / " + ratio.baseline().variant();
  }

  private static int sense(Series ratio) {
    String sense = ReportPage.sense(ratio);
    return sense.startsWith("better") ? 1 : sense.startsWith("worse") ? -1 : 0;
  }

  private static List<Double> each(List<Series> series, ToDoubleFunction<Spread> value) {
    return series.stream().map(s -> value.applyAsDouble(s.spread())).toList();
  }

  private void percentiles() {
    List<Series> latencies = values().filter(s -> percentile(s).isPresent()).toList();
    for (String name : latencies.stream().map(s -> percentile(s).get()[0]).distinct().toList()) {
      List<Series> own =
          latencies.stream().filter(s -> percentile(s).get()[0].equals(name)).toList();
      List<String> x = own.stream().map(s -> percentile(s).get()[1]).distinct().toList();
      if (x.size() < 2) {
        continue; // one percentile is no curve
      }
      List<Line> lines = new ArrayList<>();
      for (String variant : variants(own)) {
        List<Series> line = own.stream().filter(s -> s.figure().variant().equals(variant)).toList();
        lines.add(new Line(variant, each(line, Spread::median), List.of()));
      }
      add(
          "Percentiles of " + name + ", medians of the rounds",
          "Percentiles by variant. " + words(own, Series::name),
          new Plot("lines", own.get(0).unit(), true, x, lines, null));
    }
  }

  /** The latency's name and the percentile's, if it is one. */
  private static Optional<String[]> percentile(Series series) {
    Matcher metric = PERCENTILE.matcher(series.figure().metric());
    return metric.matches()
        ? Optional.of(new String[] {metric.group(1), PERCENTILES.get(metric.group(2))})
        : Optional.empty();
  }

  private void rounds() {
    List<Series> more = values().filter(s -> s.figure().moreIsBetter()).toList();
    List<Series> shown = more.isEmpty() ? values().limit(1).toList() : more;
    for (String metric : shown.stream().map(s -> s.figure().metric()).distinct().toList()) {
      List<Series> own = values().filter(s -> s.figure().metric().equals(metric)).toList();
      int rounds = own.stream().mapToInt(s -> s.values().length).max().orElse(0);
      if (rounds < 2) {
        continue; // a point is in the table
      }
      Figure figure = own.get(0).figure();
      add(
          figure.title() + ", round by round",
          "Values of " + rounds + " rounds. " + words(own, Series::name),
          new Plot(
              "lines",
              figure.unit(),
              false,
              IntStream.rangeClosed(1, rounds).mapToObj(Integer::toString).toList(),
              own.stream()
                  .map(
                      s ->
                          new Line(
                              s.figure().variant(),
                              Arrays.stream(s.values()).boxed().toList(),
                              List.of()))
                  .toList(),
              null));
    }
  }

  private Stream<Series> values() {
    return series.stream().filter(s -> s.baseline() == null);
  }

  private static List<String> variants(List<Series> series) {
    return series.stream().map(s -> s.figure().variant()).distinct().toList();
  }

  private static String words(List<Series> series, Function<Series, String> name) {
    return series.stream()
        .map(
            s ->
                name.apply(s)
                    + ": median "
                    + Units.number(s.spread().median())
                    + (s.baseline() == null ? " " + s.unit() : "")
                    + ", "
                    + Units.number(s.spread().min())
                    + " to "
                    + Units.number(s.spread().max()))
        .collect(Collectors.joining("; ", "", "."));
  }
}
