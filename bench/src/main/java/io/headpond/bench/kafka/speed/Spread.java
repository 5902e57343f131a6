// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import java.util.Arrays;

/** How far the rounds' values lie apart; never an average. */
public record Spread(double min, double median, double max) {

  /**
   * Of at least one value; the median of an even number of values is the middle between the two in
   * the middle.
   */
  public static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("the spread of nothing");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Spread(sorted[0], median, sorted[sorted.length - 1]);
  }

  /**
   * Of the ratios {@code own[i] / other[i]}, round by round: neighbours in time are compared, so
   * that a machine that gets slower during the run doesn't show as a difference.
   */
  public static Spread ofRatios(double[] own, double[] other) {
    if (own.length != other.length) {
      throw new IllegalArgumentException(own.length + " rounds against " + other.length);
    }
    double[] ratios = new double[own.length];
    for (int i = 0; i < own.length; i++) {
      ratios[i] = own[i] / other[i];
    }
    return of(ratios);
  }
}
