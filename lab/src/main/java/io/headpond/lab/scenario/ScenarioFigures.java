// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The figures of a scenario, in the order measured.
 *
 * @param points turns of points
 * @param searches turns of searches under a limit
 */
public record ScenarioFigures(List<PointTurn> points, List<SearchTurn> searches) {

  public ScenarioFigures {
    points = List.copyOf(points);
    searches = List.copyOf(searches);
  }

  /** Points against each other, engine by engine. */
  public List<Comparison<String, ComparedVariant>> pointComparisons() {
    return comparisons(points, PointMetrics.ALL);
  }

  /** Searches against each other, engine by engine. */
  public List<Comparison<String, ComparedVariant>> searchComparisons() {
    return comparisons(searches, SearchTurn.METRICS);
  }

  /** Turns beside a backlog against the same variant's turns without it, engine by engine. */
  public List<Comparison<String, ComparedVariant>> isolationComparisons() {
    return comparisons(IsolationTurn.of(points), IsolationTurn.METRICS);
  }

  /** The highest rates at each baseline's lowest P99, where there were several rates. */
  public List<Comparison<String, ComparedVariant>> lowestLatencyComparisons() {
    return comparisons(LowestLatencyTurn.of(points), LowestLatencyTurn.METRICS);
  }

  /** The first of an engine's variants is Headpond's. */
  private static <F extends RoundFigures<String, ComparedVariant>>
      List<Comparison<String, ComparedVariant>> comparisons(
          List<F> turns, List<Metric<F>> metrics) {
    List<Comparison<String, ComparedVariant>> all = new ArrayList<>();
    for (Class<?> engine : turns.stream().map(t -> t.variant().getClass()).distinct().toList()) {
      List<F> own = turns.stream().filter(t -> t.variant().getClass() == engine).toList();
      own.stream()
          .map(RoundFigures::variant)
          .filter(variant -> variant.ordinal() == 0)
          .findFirst()
          .ifPresent(headpond -> all.addAll(Comparison.of(own, metrics, headpond)));
    }
    return all;
  }

  /** All figures. */
  public List<Figure> figures() {
    List<Figure> all =
        new ArrayList<>(Figure.of(searchComparisons(), SearchTurn.METRICS, Function.identity()));
    all.addAll(Figure.of(pointComparisons(), PointMetrics.ALL, Function.identity()));
    all.addAll(
        Figure.of(lowestLatencyComparisons(), LowestLatencyTurn.METRICS, Function.identity()));
    all.addAll(Figure.of(isolationComparisons(), IsolationTurn.METRICS, Function.identity()));
    return all;
  }

  /**
   * P99 over throughput, medians of the rounds: a curve for each engine and size, where there were
   * several rates.
   */
  public List<Curve> curves() {
    return LowestLatencyTurn.sweeps(points).entrySet().stream()
        .map(sweep -> curve(sweep.getKey(), sweep.getValue()))
        .filter(curve -> curve.lines().stream().anyMatch(line -> line.x().size() > 1))
        .toList();
  }

  private static Curve curve(String load, List<PointTurn> turns) {
    List<Curve.Line> lines = new ArrayList<>();
    for (ComparedVariant variant : turns.stream().map(PointTurn::variant).distinct().toList()) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      List<PointTurn> own = turns.stream().filter(t -> t.variant() == variant).toList();
      for (Point point : own.stream().map(PointTurn::point).distinct().toList()) {
        List<PointTurn> rounds = own.stream().filter(t -> t.point().equals(point)).toList();
        x.add(median(rounds, f -> f.bytesPerSecond() / 1e6));
        y.add(median(rounds, f -> f.publishUs(99) / 1e3));
      }
      lines.add(new Curve.Line(variant.key(), x, y));
    }
    return new Curve(
        "Publish P99 over throughput, " + load, "throughput, MB/s", "publish P99, ms", true, lines);
  }

  /** Latencies of the turns at a pace, by load, variant and kind, round by round. */
  public Map<String, List<Histogram>> histograms() {
    Map<String, List<Histogram>> all = new LinkedHashMap<>();
    for (PointTurn turn : points) {
      if (!turn.point().pace().fullSpeed()) {
        add(all, turn, "publish", turn.figures().publish());
        add(all, turn, "end-to-end", turn.figures().endToEnd());
      }
    }
    return all;
  }

  private static void add(
      Map<String, List<Histogram>> all, PointTurn turn, String kind, Histogram nanos) {
    if (nanos.getTotalCount() > 0) {
      String name = turn.load() + " " + turn.variant().key() + " " + kind;
      all.computeIfAbsent(name.replaceAll("[^A-Za-z0-9]+", "-"), n -> new ArrayList<>()).add(nanos);
    }
  }

  private static double median(List<PointTurn> turns, ToDoubleFunction<PointFigures> value) {
    return Spread.of(turns.stream().mapToDouble(t -> value.applyAsDouble(t.figures())).toArray())
        .median();
  }
}
