// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.measure.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * The same figure in two results.
 *
 * <p>The test is that of Mann and Whitney, two-sided: how likely are ranks as far apart as these if
 * nothing changed? Where many figures are tested some look changed by chance; so what is called
 * better or worse is chosen by Benjamini and Hochberg (J. R. Statist. Soc. B 57, 1995), by which at
 * most {@link #FALSE_SHARE} of the changes named are expected to be chance.
 *
 * @param p of the test; 1 if nothing differs
 * @param verdict of all figures together
 */
record Change(Series a, Series b, double p, Verdict verdict) {

  static final double FALSE_SHARE = 0.05;

  /** The meanings of a change. */
  enum Verdict {
    BETTER,
    WORSE,
    NOT_DISTINGUISHABLE,
    /** Too few rounds to tell any values apart. */
    TOO_FEW_ROUNDS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Tests the pairs, each the same figure of A and B; those that decide among themselves. */
  static List<Change> of(List<Series[]> pairs) {
    List<Change> tested = new ArrayList<>();
    for (Series[] pair : pairs) {
      tested.add(new Change(pair[0], pair[1], chance(pair[0].values(), pair[1].values()), null));
    }
    double deciding = largestP(tested.stream().filter(c -> c.a.decides()).toList());
    double others = largestP(tested.stream().filter(c -> !c.a.decides()).toList());
    return tested.stream().map(c -> c.judged(c.a.decides() ? deciding : others)).toList();
  }

  private static double chance(double[] a, double[] b) {
    double p = MannWhitneyUTest.withDefaults().test(a, b).getPValue();
    return Double.isNaN(p) ? 1 : p; // all values are the same
  }

  /** The largest p that still counts; negative if none does. */
  private static double largestP(List<Change> tested) {
    List<Change> sorted = tested.stream().sorted(Comparator.comparingDouble(Change::p)).toList();
    double largest = -1;
    for (int i = 0; i < sorted.size(); i++) {
      if (sorted.get(i).p <= FALSE_SHARE * (i + 1) / sorted.size()) {
        largest = sorted.get(i).p;
      }
    }
    return largest;
  }

  private Change judged(double largestP) {
    return new Change(a, b, p, verdict(largestP));
  }

  private Verdict verdict(double largestP) {
    if (smallestP(a.values().length, b.values().length) > FALSE_SHARE) {
      return Verdict.TOO_FEW_ROUNDS;
    }
    double times = times();
    if (p > largestP || times == 1 || Double.isNaN(times)) {
      return Verdict.NOT_DISTINGUISHABLE;
    }
    return times > 1 == a.figure().moreIsBetter() ? Verdict.BETTER : Verdict.WORSE;
  }

  /** The lowest p-value, which holds if all values of one are above all of the other. */
  private static double smallestP(int a, int b) {
    return chance(
        IntStream.range(0, a).asDoubleStream().toArray(),
        IntStream.range(a, a + b).asDoubleStream().toArray());
  }

  /**
   * The median of B divided by that of A. It isn't {@link Spread#ofRatios}: rounds of two results
   * are no neighbours in time, and may be of different number.
   */
  double times() {
    return b.spread().median() / a.spread().median();
  }
}
