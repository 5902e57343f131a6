// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.LatencyHistogram;
import java.util.List;

/**
 * Durations counted since the start. Nobody else holds the array.
 *
 * @param counts by bucket of {@link LatencyHistogram}
 * @param allNanos their sum, nanoseconds
 */
public record Times(long[] counts, long allNanos) {
  /** The durations that a histogram has counted so far. */
  public static Times of(final LatencyHistogram histogram) {
    return new Times(histogram.counts(), histogram.allNanos());
  }

  /** The durations of several histograms together. */
  public static Times sum(final List<Times> all) {
    final long[] counts = new long[LatencyHistogram.BUCKETS];
    long nanos = 0;
    for (final Times one : all) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += one.counts[i];
      }
      nanos += one.allNanos;
    }
    return new Times(counts, nanos);
  }
}
