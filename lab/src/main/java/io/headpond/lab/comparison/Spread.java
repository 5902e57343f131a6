// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How far the rounds' values lie apart; never an average.
 *
 * @param values in the order measured
 */
public record Spread(double min, double median, double max, List<Double> values) {

  /** Copies the values. */
  public Spread {
    values = List.copyOf(values);
  }

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
    return new Spread(
        sorted[0], median, sorted[sorted.length - 1], Arrays.stream(values).boxed().toList());
  }

  /** The same of a list. */
  public static Spread of(List<Double> values) {
    return of(array(values));
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

  /** The same of lists. */
  public static Spread ofRatios(List<Double> own, List<Double> other) {
    return ofRatios(array(own), array(other));
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** In a larger unit, as 1e6 for megabytes of bytes. */
  public Spread in(double unit) {
    return of(values.stream().map(value -> value / unit).toList());
  }

  /** For example {@code 0.97 (0.95-0.98)}, with so many decimals. */
  public String text(int decimals) {
    return text(decimals, "-");
  }

  /** The same with another word between the extremes. */
  public String text(int decimals, String to) {
    String each = "%." + decimals + "f";
    return String.format(Locale.ROOT, each + " (" + each + to + each + ")", median, min, max);
  }
}
