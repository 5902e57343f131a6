// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import org.HdrHistogram.Histogram;

/**
 * The figures of a {@link JournalSide}: its rate and its latencies in the turns that count, and its
 * outage. Safe for use by several threads.
 */
final class SideFigures {

  private final Histogram steady = new Histogram(3);
  private final Outage outage = new Outage();
  private boolean latencyCounts;
  private boolean rateCounts;
  private long bytes;
  private long countedBytes;
  private long countedNanos;
  private long bytesPerSecond;
  private long lookNanos = System.nanoTime();

  /**
   * A turn begins, and was looked at.
   *
   * @param counted whether its rate and its latencies count
   */
  synchronized void begin(boolean counted) {
    latencyCounts = counted;
    rateCounts = counted;
    if (counted) {
      countedBytes -= bytes;
      countedNanos -= System.nanoTime();
    }
  }

  /** The turn's rate counts up to the last look; its latencies count on. */
  synchronized void endRate() {
    if (rateCounts) {
      countedBytes += bytes;
      countedNanos += System.nanoTime();
      rateCounts = false;
    }
  }

  /** The turn is over. */
  synchronized void end() {
    endRate();
    latencyCounts = false;
    bytesPerSecond = 0;
  }

  /** Takes the amounts acknowledged since the start. */
  synchronized void look(long acknowledged, long acknowledgedBytes, long now) {
    bytesPerSecond = (long) ((acknowledgedBytes - bytes) * 1e9 / Math.max(1, now - lookNanos));
    bytes = acknowledgedBytes;
    lookNanos = now;
    outage.look(acknowledged, now);
  }

  /**
   * Adds the latencies since the last look. Those of what waited for the restart are kept in any
   * turn, the others in turns that count.
   */
  synchronized void latencies(Histogram interval, long now) {
    Histogram others = outage.split(interval, now);
    if (latencyCounts) {
      steady.add(others);
    }
  }

  /** Latencies since the last look, in a turn that counts and has no kill. */
  synchronized void steadyLatencies(Histogram interval) {
    steady.add(interval);
  }

  /** Its outage. */
  Outage outage() {
    return outage;
  }

  /** As of the last look; 0 between its turns. */
  synchronized long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Length of the turns that count, seconds. */
  synchronized double seconds() {
    return (rateCounts ? countedNanos + System.nanoTime() : countedNanos) / 1e9;
  }

  /** Acknowledged in these turns, 10^6 bytes per second; NaN before the first. */
  synchronized double mbPerS() {
    double seconds = seconds();
    return seconds == 0
        ? Double.NaN
        : (rateCounts ? countedBytes + bytes : countedBytes) / seconds / 1e6;
  }

  /** From sending to acknowledgement in these turns, milliseconds; NaN before the first. */
  synchronized double latencyMs(double percentile) {
    return steady.getTotalCount() == 0 ? Double.NaN : steady.getValueAtPercentile(percentile) / 1e6;
  }
}
