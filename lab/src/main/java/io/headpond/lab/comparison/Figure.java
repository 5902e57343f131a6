// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import io.headpond.cli.measure.Spread;
import java.util.List;
import java.util.function.Function;

/**
 * One metric of one variant under one load.
 *
 * @param load what the variant had to do, in words, alike in all results; empty if there is but one
 * @param metric its name, which stays
 * @param title what a table calls it
 * @param unit of the values
 * @param moreIsBetter whether a larger value is the better one
 * @param variant what was measured
 * @param values of the rounds, in the order measured
 * @param ratioTo variants of the same load and metric that this one is compared with: its value of
 *     a round is divided by theirs of the same round; empty for those that are only compared with
 */
public record Figure(
    String load,
    String metric,
    String title,
    String unit,
    boolean moreIsBetter,
    String variant,
    List<Double> values,
    List<String> ratioTo) {

  /** Copies the lists; there is at least one value. */
  public Figure {
    values = List.copyOf(values);
    ratioTo = List.copyOf(ratioTo);
    if (values.isEmpty()) {
      throw new IllegalArgumentException(load + ", " + variant + ": " + metric + " has no value");
    }
  }

  /** A metric that is measured without {@link RoundFigures}. */
  public record Kind(String metric, String title, String unit, boolean moreIsBetter) {

    /** One of this kind, compared with {@code ratioTo}. */
    public Figure of(String load, String variant, Spread spread, String... ratioTo) {
      return new Figure(
          load, metric, title, unit, moreIsBetter, variant, spread.values(), List.of(ratioTo));
    }
  }

  /**
   * Those of a comparison, in its order.
   *
   * @param load a load in words
   */
  public static <L, V extends ComparedVariant, F> List<Figure> of(
      List<Comparison<L, V>> comparisons, List<Metric<F>> metrics, Function<L, String> load) {
    return comparisons.stream()
        .map(
            c ->
                new Kind(c.metric(), title(c.metric(), metrics), c.unit(), c.moreIsBetter())
                    .of(
                        load.apply(c.load()),
                        c.variant().toString(),
                        c.value(),
                        c.variant().ordinal() == 0 ? baselines(c, comparisons) : new String[0]))
        .toList();
  }

  private static <F> String title(String key, List<Metric<F>> metrics) {
    return metrics.stream().filter(m -> m.key().equals(key)).findFirst().orElseThrow().title();
  }

  private static <L, V extends ComparedVariant> String[] baselines(
      Comparison<L, V> headpond, List<Comparison<L, V>> comparisons) {
    return comparisons.stream()
        .filter(c -> c.load().equals(headpond.load()) && c.metric().equals(headpond.metric()))
        .filter(c -> c.headpondRatio() != null)
        .map(c -> c.variant().toString())
        .toArray(String[]::new);
  }

  /** True if {@code other} is the same figure, of another result. */
  public boolean sameAs(Figure other) {
    return load.equals(other.load)
        && metric.equals(other.metric)
        && unit.equals(other.unit)
        && moreIsBetter == other.moreIsBetter
        && variant.equals(other.variant);
  }
}
