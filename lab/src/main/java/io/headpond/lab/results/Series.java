// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A figure's values by round, or its {@link Spread#ofRatios ratios} to a baseline's values.
 *
 * @param figure whose values they are, or what is divided
 * @param baseline the figure that it is divided by; null if these are the values themselves
 * @param decides whether this says how good the figure is: a ratio, or values that have no baseline
 *     in the same run. The other values have the machine's speed of that hour in them.
 */
record Series(Figure figure, Figure baseline, Spread spread, boolean decides) {

  /** All values and ratios of a result, in its order, a figure's ratios after its values. */
  static List<Series> of(List<Figure> figures) {
    List<Series> all = new ArrayList<>();
    for (Figure figure : figures) {
      List<Series> ratios =
          figures.stream()
              .filter(other -> figure.ratioTo().contains(other.variant()) && alike(figure, other))
              .flatMap(baseline -> ratio(figure, baseline).stream())
              .toList();
      boolean compared = !ratios.isEmpty() || isBaseline(figure, figures);
      all.add(new Series(figure, null, Spread.of(figure.values()), !compared));
      all.addAll(ratios);
    }
    return all;
  }

  /** Empty where there is none: processor time is counted in ticks, of a short turn none. */
  private static Optional<Series> ratio(Figure figure, Figure baseline) {
    return Spread.ofRatios(figure.values(), baseline.values())
        .map(ratios -> new Series(figure, baseline, ratios, true));
  }

  private static boolean isBaseline(Figure figure, List<Figure> figures) {
    return figures.stream()
        .anyMatch(other -> other.ratioTo().contains(figure.variant()) && alike(figure, other));
  }

  private static boolean alike(Figure figure, Figure other) {
    return other.load().equals(figure.load()) && other.metric().equals(figure.metric());
  }

  /** True if {@code other} is the same, of another result. */
  boolean sameAs(Series other) {
    return figure.sameAs(other.figure)
        && (baseline == null
            ? other.baseline == null
            : other.baseline != null && baseline.sameAs(other.baseline));
  }

  /** The values of the rounds, in the order measured. */
  double[] values() {
    return spread.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The metric; of a ratio with the unit of what is divided: {@code produce, MB/s}. */
  String title() {
    return figure.title() + (baseline == null ? "" : ", " + figure.unit());
  }

  /** The name without the load: {@code produce, MB/s, headpond / vanilla-disk}. */
  String name() {
    return title()
        + (figure.variant().isEmpty() ? "" : ", " + figure.variant())
        + (baseline == null ? "" : " / " + baseline.variant());
  }

  /** {@code times} for a ratio. */
  String unit() {
    return baseline == null ? figure.unit() : "times";
  }
}
