// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * A figure's values by round, or its ratios to a baseline's values of the same rounds.
 *
 * @param figure whose values they are, or what is divided
 * @param baseline the figure that it is divided by; null if these are the values themselves
 * @param decides whether this says how good the figure is: a ratio, or values that have no baseline
 *     in the same run. The other values have the machine's speed of that hour in them.
 */
record Series(Figure figure, Figure baseline, double[] values, boolean decides) {

  /** All values and ratios of a result, in its order, a figure's ratios after its values. */
  static List<Series> of(List<Figure> figures) {
    List<Series> all = new ArrayList<>();
    for (Figure figure : figures) {
      List<Figure> baselines = baselines(figure, figures);
      boolean compared = !baselines.isEmpty() || isBaseline(figure, figures);
      all.add(new Series(figure, null, array(figure), !compared));
      for (Figure baseline : baselines) {
        all.add(new Series(figure, baseline, ratios(figure, baseline), true));
      }
    }
    return all;
  }

  private static List<Figure> baselines(Figure figure, List<Figure> figures) {
    return figures.stream()
        .filter(other -> figure.ratioTo().contains(other.variant()) && alike(figure, other))
        .filter(other -> other.values().size() == figure.values().size())
        // Processor time is counted in ticks: of a short turn it may be none.
        .filter(other -> other.values().stream().allMatch(value -> value > 0))
        .toList();
  }

  private static boolean isBaseline(Figure figure, List<Figure> figures) {
    return figures.stream()
        .anyMatch(other -> other.ratioTo().contains(figure.variant()) && alike(figure, other));
  }

  private static boolean alike(Figure figure, Figure other) {
    return other.load().equals(figure.load()) && other.metric().equals(figure.metric());
  }

  private static double[] array(Figure figure) {
    return figure.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double[] ratios(Figure figure, Figure baseline) {
    double[] own = array(figure);
    double[] others = array(baseline);
    for (int i = 0; i < own.length; i++) {
      own[i] /= others[i];
    }
    return own;
  }

  /** Whether {@code other} is the same, of another result. */
  boolean sameAs(Series other) {
    return figure.sameAs(other.figure)
        && (baseline == null
            ? other.baseline == null
            : other.baseline != null && baseline.sameAs(other.baseline));
  }

  Spread spread() {
    return Spread.of(values);
  }

  /** What is measured; of a ratio with the unit of what is divided: {@code produce, MB/s}. */
  String title() {
    return figure.title() + (baseline == null ? "" : ", " + figure.unit());
  }

  /** What it is, without its load: {@code produce, MB/s, headpond / vanilla-disk}. */
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
