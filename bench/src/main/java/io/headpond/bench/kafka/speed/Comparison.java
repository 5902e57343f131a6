// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One metric of one variant under one load, over all rounds.
 *
 * @param metric {@link Metric#key}
 * @param value of the variant itself, in {@code unit}
 * @param headpondRatio {@link Variant#HEADPOND}'s value divided by this variant's, round by round;
 *     null for Headpond itself
 */
public record Comparison(
    Load load,
    String metric,
    String unit,
    boolean moreIsBetter,
    Variant variant,
    Spread value,
    Spread headpondRatio) {

  /** All that {@code runs} allow, load by load, metric by metric. */
  public static List<Comparison> of(List<RunFigures> runs) {
    List<Comparison> all = new ArrayList<>();
    for (Load load : runs.stream().map(RunFigures::load).distinct().toList()) {
      for (Metric metric : Metric.values()) {
        double[] headpond = values(runs, load, metric, Variant.HEADPOND);
        for (Variant variant : Variant.values()) {
          double[] own = values(runs, load, metric, variant);
          if (own.length > 0) {
            Spread ratio =
                variant == Variant.HEADPOND || headpond.length != own.length
                    ? null
                    : Spread.ofRatios(headpond, own);
            all.add(
                new Comparison(
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

  private static double[] values(List<RunFigures> runs, Load load, Metric metric, Variant variant) {
    return runs.stream()
        .filter(r -> r.load().equals(load) && r.variant() == variant)
        .sorted(Comparator.comparingInt(RunFigures::round))
        .mapToDouble(metric::of)
        .filter(v -> !Double.isNaN(v))
        .toArray();
  }
}
