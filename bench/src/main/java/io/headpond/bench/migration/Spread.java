// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.migration;

import java.util.List;
import java.util.Locale;

/** The same thing measured several times: the middle one and the extremes. */
public record Spread(double median, double min, double max) {
  /** The spread of at least one value. */
  public static Spread of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1));
  }

  /** For example {@code 0.97 (0.95-0.98)}, with so many decimals. */
  public String text(int decimals) {
    String format = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, format + " (" + format + "-" + format + ")", median, min, max);
  }
}
