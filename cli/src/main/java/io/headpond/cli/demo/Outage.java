// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A kill and a restart as a load sees them: the time without acknowledgements, and the latencies of
 * what waited for it. Safe for use by several threads.
 */
final class Outage {

  private static final long AFTER_RESTART_NANOS = 1_000_000_000L;

  private final Histogram waited = new Histogram(3);
  private long killNanos;
  private long acknowledgedBefore = Long.MAX_VALUE;
  private long firstAckNanos;

  /** The engine is killed now. */
  synchronized void begin() {
    killNanos = System.nanoTime();
  }

  /** Counts what was acknowledged before the kill, including answers on their way. */
  synchronized void acknowledgedBefore(long acknowledged) {
    acknowledgedBefore = acknowledged;
  }

  /**
   * The records that were acknowledged before the kill; {@link Long#MAX_VALUE} until they are
   * known.
   */
  synchronized long acknowledgedBefore() {
    return acknowledgedBefore;
  }

  /** A look that sees more acknowledged than before the kill ends the outage. */
  synchronized void look(long acknowledged, long now) {
    if (killNanos != 0 && firstAckNanos == 0 && acknowledged > acknowledgedBefore) {
      firstAckNanos = now;
    }
  }

  /** Keeps the latencies of what waited for the restart, and returns the others. */
  synchronized Histogram split(Histogram interval, long now) {
    boolean during =
        killNanos != 0 && (firstAckNanos == 0 || now - firstAckNanos < AFTER_RESTART_NANOS);
    Histogram others = new Histogram(3);
    for (HistogramIterationValue each : interval.recordedValues()) {
      // Also long after the restart something may be answered that was sent before it.
      boolean over = during || killNanos != 0 && each.getValueIteratedTo() > now - firstAckNanos;
      (over ? waited : others)
          .recordValueWithCount(each.getValueIteratedTo(), each.getCountAddedInThisIterationStep());
    }
    return others;
  }

  /** All of these waited for the restart. */
  synchronized void add(Histogram interval) {
    waited.add(interval);
  }

  /** From the kill to the first acknowledgement after it; zero before that. */
  synchronized Duration length() {
    return Duration.ofNanos(firstAckNanos == 0 ? 0 : firstAckNanos - killNanos);
  }

  /** The longest wait for the restart, milliseconds; NaN if nothing waited. */
  synchronized double waitedMaxMs() {
    return waited.getTotalCount() == 0 ? Double.NaN : waited.getMaxValue() / 1e6;
  }
}
