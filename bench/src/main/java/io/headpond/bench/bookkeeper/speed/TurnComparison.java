// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.speed;

import io.headpond.bench.comparison.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One metric of one variant under one load, over all rounds.
 *
 * @param metric {@link TurnMetric#key}
 * @param value of the variant itself, in {@code unit}
 * @param headpondRatio {@link JournalVariant#HEADPOND}'s value divided by this variant's, round by
 *     round; null for Headpond itself
 */
public record TurnComparison(
    LoadPoint point,
    String metric,
    String unit,
    boolean moreIsBetter,
    JournalVariant variant,
    Spread value,
    Spread headpondRatio) {

  /** All that {@code turns} allow, load by load, metric by metric. */
  public static List<TurnComparison> of(List<TurnFigures> turns) {
    List<TurnComparison> all = new ArrayList<>();
    for (LoadPoint point : turns.stream().map(TurnFigures::point).distinct().toList()) {
      for (TurnMetric metric : TurnMetric.values()) {
        double[] headpond = values(turns, point, metric, JournalVariant.HEADPOND);
        for (JournalVariant variant : JournalVariant.values()) {
          double[] own = values(turns, point, metric, variant);
          if (own.length > 0) {
            Spread ratio =
                variant == JournalVariant.HEADPOND || headpond.length != own.length
                    ? null
                    : Spread.ofRatios(headpond, own);
            all.add(
                new TurnComparison(
                    point,
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

  private static double[] values(
      List<TurnFigures> turns, LoadPoint point, TurnMetric metric, JournalVariant variant) {
    return turns.stream()
        .filter(t -> t.point().equals(point) && t.variant() == variant)
        .sorted(Comparator.comparingInt(TurnFigures::round))
        .mapToDouble(metric::of)
        .toArray();
  }
}
