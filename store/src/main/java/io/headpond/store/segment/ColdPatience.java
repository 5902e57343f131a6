// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.util.concurrent.TimeUnit;

/**
 * How long one of the engine's network threads waits for bytes that are on their way from a slow
 * disk before it returns to its other connections. One thread.
 *
 * <p>Design note: the socket that waits for them can be written to, so the thread comes back at
 * once; without a wait it would spin. While it serves others, each of its rounds is as much longer
 * for all of them as it waits here; while it has nothing else to do, a longer wait costs nobody
 * anything. The time between two waits tells which it is.
 */
final class ColdPatience {
  /** While the thread serves others. Timers of Linux are late by 50 µs by default (prctl(2)). */
  static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(60);

  /** While it has nothing else to do. Windows in memory are read in less. */
  static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** A round of a thread without other work takes less. */
  static final long ROUND_NANOS = TimeUnit.MICROSECONDS.toNanos(80);

  private long endNanos;
  private long nanos = SHORT_NANOS;

  /**
   * A wait begins.
   *
   * @param nowNanos of a monotonic clock
   * @return how long it may last, nanoseconds
   */
  long begin(final long nowNanos) {
    nanos = nowNanos - endNanos < ROUND_NANOS ? Math.min(2 * nanos, LONG_NANOS) : SHORT_NANOS;
    return nanos;
  }

  /** It has ended. */
  void end(final long nowNanos) {
    endNanos = nowNanos;
  }
}
