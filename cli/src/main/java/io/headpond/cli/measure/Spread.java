// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The median, the smallest and the largest of the rounds' values; never an average.
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
   * The ratio of measured values to a baseline's, the only one that tables, JSON, charts and goals
   * show: the spread of {@code own[i] / baseline[i]} over the rounds {@code i}. So its median is a
   * median of ratios, not a ratio of medians. Neighbours in time are divided, so a machine that
   * gets slower during the run doesn't show as a difference.
   *
   * @return empty if there is no ratio: no round at all, a round that only one of the two has, or a
   *     value of the baseline that isn't above zero
   */
  public static Optional<Spread> ofRatios(double[] own, double[] baseline) {
    if (own.length == 0
        || own.length != baseline.length
        || !Arrays.stream(baseline).allMatch(value -> value > 0)) {
      return Optional.empty();
    }
    return Optional.of(
        of(IntStream.range(0, own.length).mapToDouble(i -> own[i] / baseline[i]).toArray()));
  }

  /** The same of lists. */
  public static Optional<Spread> ofRatios(List<Double> own, List<Double> baseline) {
    return ofRatios(array(own), array(baseline));
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The same values in a larger unit, as 1e6 for megabytes of bytes. */
  public Spread in(double unit) {
    return of(values.stream().map(value -> value / unit).toList());
  }

  /** Median and range with so many decimals, as {@code 0.97 (0.95-0.98)}. */
  public String text(int decimals) {
    String each = "%." + decimals + "f";
    return String.format(Locale.ROOT, each + " (" + each + "-" + each + ")", median, min, max);
  }

  /**
   * The text of a ratio.
   *
   * @param ratio null: there is none
   */
  public static String ratioText(Spread ratio, int decimals) {
    return ratio == null ? "no ratio" : ratio.text(decimals);
  }
}
