// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.facts.LatencyHistogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of a minute's durations, in milliseconds; zero if there was none. Percentiles and the
 * maximum are the ends of histogram buckets: up to 13 % more than the true value.
 */
public final class LatencyFigures {
  /** The figures that there are, as attributes' names end. */
  public static final List<String> NAMES = List.of("avg", "max", "p50", "p99", "p999");

  private static final List<Double> SHARES = List.of(1.0, 0.5, 0.99, 0.999);
  private static final double NANOS_PER_MS = 1e6;

  private LatencyFigures() {}

  /** The figures of the durations between two looks at the same histogram, by name. */
  static Map<String, Double> between(final Times first, final Times last) {
    final long[] counts = last.counts().clone();
    long all = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] -= first.counts()[i];
      all += counts[i];
    }
    final Map<String, Double> figures = new LinkedHashMap<>();
    final double ms = (last.allNanos() - first.allNanos()) / NANOS_PER_MS;
    figures.put(NAMES.get(0), all == 0 ? 0 : ms / all);
    for (int i = 0; i < SHARES.size(); i++) {
      figures.put(NAMES.get(i + 1), percentileMs(counts, all, SHARES.get(i)));
    }
    return figures;
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
