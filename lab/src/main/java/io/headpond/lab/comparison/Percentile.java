// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import org.HdrHistogram.Histogram;

/** Percentiles of latencies in nanoseconds; NaN where there are none. */
public final class Percentile {

  private Percentile() {}

  /** In milliseconds. */
  public static double millis(Histogram nanos, double percentile) {
    return of(nanos, percentile) / 1e6;
  }

  /** In microseconds. */
  public static double micros(Histogram nanos, double percentile) {
    return of(nanos, percentile) / 1e3;
  }

  private static double of(Histogram nanos, double percentile) {
    return nanos.getTotalCount() == 0 ? Double.NaN : nanos.getValueAtPercentile(percentile);
  }
}
