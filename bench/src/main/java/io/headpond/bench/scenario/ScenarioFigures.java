// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.scenario;

import io.headpond.bench.comparison.ComparedVariant;
import io.headpond.bench.comparison.Comparison;
import io.headpond.bench.comparison.Curve;
import io.headpond.bench.comparison.Figure;
import io.headpond.bench.comparison.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What was measured in a scenario, in the order measured.
 *
 * @param points turns of points
 * @param searches turns of searches under a limit
 */
public record ScenarioFigures(List<PointTurn> points, List<SearchTurn> searches) {

  public ScenarioFigures {
    points = List.copyOf(points);
    searches = List.copyOf(searches);
  }

  /** Points against each other. */
  public List<Comparison<String, ComparedVariant>> pointComparisons(ComparedVariant headpond) {
    return Comparison.of(points, PointMetrics.ALL, headpond);
  }

  /** Searches against each other. */
  public List<Comparison<String, ComparedVariant>> searchComparisons(ComparedVariant headpond) {
    return Comparison.of(searches, SearchTurn.METRICS, headpond);
  }

  /** All of them. */
  public List<Figure> figures(ComparedVariant headpond) {
    List<Figure> all =
        new ArrayList<>(
            Figure.of(searchComparisons(headpond), SearchTurn.METRICS, Function.identity()));
    all.addAll(Figure.of(pointComparisons(headpond), PointMetrics.ALL, Function.identity()));
    return all;
  }

  /** P99 over throughput, medians of the rounds, a curve for each size with several rates. */
  public List<Curve> curves() {
    List<PointTurn> paced = points.stream().filter(t -> !t.point().pace().fullSpeed()).toList();
    return paced.stream()
        .map(turn -> turn.point().messageBytes())
        .distinct()
        .map(bytes -> paced.stream().filter(t -> t.point().messageBytes() == bytes).toList())
        .map(ScenarioFigures::curve)
        .filter(Objects::nonNull)
        .toList();
  }

  private static Curve curve(List<PointTurn> turns) {
    List<Curve.Line> lines = new ArrayList<>();
    for (ComparedVariant variant : turns.stream().map(PointTurn::variant).distinct().toList()) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      List<PointTurn> own = turns.stream().filter(t -> t.variant() == variant).toList();
      for (String load : own.stream().map(PointTurn::load).distinct().toList()) {
        List<PointTurn> rounds = own.stream().filter(t -> t.load().equals(load)).toList();
        x.add(median(rounds, f -> f.bytesPerSecond() / 1e6));
        y.add(median(rounds, f -> f.publishUs(99) / 1e3));
      }
      lines.add(new Curve.Line(variant.key(), x, y));
    }
    return lines.stream().allMatch(line -> line.x().size() < 2)
        ? null
        : new Curve(
            "Publish P99 over throughput, "
                + Point.size(turns.get(0).point().messageBytes())
                + " messages",
            "throughput, MB/s",
            "publish P99, ms",
            true,
            lines);
  }

  private static double median(List<PointTurn> turns, ToDoubleFunction<PointFigures> value) {
    return Spread.of(turns.stream().mapToDouble(t -> value.applyAsDouble(t.figures())).toArray())
        .median();
  }
}
