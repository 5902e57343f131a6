// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import io.headpond.cli.measure.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One metric of one variant under one load, over all rounds.
 *
 * @param metric {@link Metric#key}
 * @param value of the variant itself, in {@code unit}
 * @param headpondRatio {@link Spread#ofRatios} of Headpond's values to this variant's; null for
 *     Headpond itself, and where there is no ratio
 * @param <L> load
 * @param <V> variant
 */
public record Comparison<L, V extends ComparedVariant>(
    L load,
    String metric,
    String unit,
    boolean moreIsBetter,
    V variant,
    Spread value,
    Spread headpondRatio) {

  /**
   * All that {@code figures} allow, load by load, metric by metric.
   *
   * @param headpond what the other variants are compared with
   */
  public static <L, V extends ComparedVariant, F extends RoundFigures<L, V>>
      List<Comparison<L, V>> of(List<F> figures, List<Metric<F>> metrics, V headpond) {
    List<Comparison<L, V>> all = new ArrayList<>();
    List<V> variants =
        figures.stream()
            .map(RoundFigures::variant)
            .distinct()
            .sorted(Comparator.comparingInt(ComparedVariant::ordinal))
            .toList();
    for (L load : figures.stream().map(RoundFigures::load).distinct().toList()) {
      for (Metric<F> metric : metrics) {
        double[] reference = values(figures, load, metric, headpond);
        for (V variant : variants) {
          double[] own = values(figures, load, metric, variant);
          if (own.length > 0) {
            Spread ratio =
                variant == headpond ? null : Spread.ofRatios(reference, own).orElse(null);
            all.add(
                new Comparison<>(
                    load,
                    metric.key(),
                    metric.unit(),
                    metric.moreIsBetter(),
                    variant,
                    Spread.of(own),
                    ratio));
          }
        }
      }
    }
    return all;
  }

  private static <L, V extends ComparedVariant, F extends RoundFigures<L, V>> double[] values(
      List<F> figures, L load, Metric<F> metric, V variant) {
    return figures.stream()
        .filter(f -> f.load().equals(load) && f.variant() == variant)
        .sorted(Comparator.comparingInt(RoundFigures::round))
        .mapToDouble(metric::of)
        .filter(v -> !Double.isNaN(v))
        .toArray();
  }
}
