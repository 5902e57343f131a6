// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.List;

/**
 * One value of a metric.
 *
 * @param labels their values, in the order of {@link Metric#labels}
 * @param value in the metric's unit; of a histogram, the sum of what was observed
 * @param counts of a histogram, by bucket of {@link io.headpond.store.facts.LatencyHistogram}; else
 *     null
 */
public record Sample(List<String> labels, double value, long[] counts) {
  /** A single value. */
  public static Sample of(final double value, final String... labels) {
    return new Sample(List.of(labels), value, null);
  }

  static Sample of(final boolean value, final String... labels) {
    return of(value ? 1 : 0, labels);
  }
}
