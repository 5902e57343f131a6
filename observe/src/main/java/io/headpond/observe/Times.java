// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.LatencyHistogram;

/**
 * Durations counted since the start. Nobody else holds the array.
 *
 * @param counts by bucket of {@link LatencyHistogram}
 * @param allNanos their sum, nanoseconds
 */
public record Times(long[] counts, long allNanos) {
  /** No duration at all. */
  static final Times NONE = new Times(new long[LatencyHistogram.BUCKETS], 0);

  /** The durations that a histogram has counted so far. */
  public static Times of(final LatencyHistogram histogram) {
    return new Times(histogram.counts(), histogram.allNanos());
  }
}
