// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import java.util.function.Function;

/**
 * The durations of a window's timed appends; milliseconds, zero if there was none. Percentiles and
 * the maximum are the ends of histogram buckets: up to 13 % more than what was seen.
 *
 * @param count how many were timed
 */
public record LatencyFigures(
    long count, double avgMs, double p50Ms, double p99Ms, double p999Ms, double maxMs) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double MS_PER_SECOND = 1e3;

  /** The latencies between two looks at the same store. */
  static LatencyFigures between(final StoreFacts first, final StoreFacts last) {
    return between(
        first.appends().sampledNanos(),
        last.appends().sampledNanos(),
        (last.appends().sampledAllNanos() - first.appends().sampledAllNanos()) / NANOS_PER_MS);
  }

  /** The latencies between two looks at the same times. */
  public static LatencyFigures between(final Times first, final Times last) {
    return between(
        first.counts(), last.counts(), (last.allNanos() - first.allNanos()) / NANOS_PER_MS);
  }

  /**
   * The latencies between two looks at a histogram in seconds.
   *
   * @param first null if it wasn't there yet
   */
  static LatencyFigures between(final Sample first, final Sample last) {
    return between(
        first == null ? new long[last.counts().length] : first.counts(),
        last.counts(),
        (last.value() - (first == null ? 0 : first.value())) * MS_PER_SECOND);
  }

  private static LatencyFigures between(final long[] first, final long[] last, final double ms) {
    final long[] counts = last.clone();
    long all = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] -= first[i];
      all += counts[i];
    }
    return new LatencyFigures(
        all,
        all == 0 ? 0 : ms / all,
        percentileMs(counts, all, 0.5),
        percentileMs(counts, all, 0.99),
        percentileMs(counts, all, 0.999),
        percentileMs(counts, all, 1));
  }

  /** One of them, to 10 ns; no number where nothing was timed. */
  public double rounded(final Function<LatencyFigures, Double> figure) {
    return count == 0 ? Double.NaN : Math.round(figure.apply(this) * 1e5) / 1e5;
  }

  private static double percentileMs(final long[] counts, final long all, final double share) {
    final long wanted = (long) Math.ceil(share * all);
    long below = 0;
    for (int i = 0; i < counts.length; i++) {
      below += counts[i];
      if (below >= wanted && below > 0) {
        return LatencyHistogram.endNanos(i) / NANOS_PER_MS;
      }
    }
    return 0;
  }
}
