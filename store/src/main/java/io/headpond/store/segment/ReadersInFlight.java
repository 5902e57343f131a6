// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.facts.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The count of a file's reads under way. A truncation waits for those that began before it: they go
 * by the old end, and the file may soon hold zeros there that nobody wrote.
 *
 * <p>Readers enter the count of the present period; {@link #awaitEarlier} begins another period and
 * waits for the old one's count to run empty, so that readers who come later can't delay it. Any
 * thread; one truncation at a time.
 */
final class ReadersInFlight {
  /** A reader that is stuck in a slow target's write is not waited for any longer. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private final TimeSource time;
  private final AtomicIntegerArray counts = new AtomicIntegerArray(2);
  private volatile int period;

  ReadersInFlight(final TimeSource time) {
    this.time = time;
  }

  /** A read begins; what it answers is for {@link #exit}. */
  int enter() {
    while (true) {
      final int now = period;
      counts.incrementAndGet(now & 1);
      if (period == now) {
        return now;
      }
      counts.decrementAndGet(now & 1);
    }
  }

  /** Ends a read. */
  void exit(final int entered) {
    counts.decrementAndGet(entered & 1);
  }

  /** Returns when the reads that began before the call are over, or patience is. */
  void awaitEarlier() {
    final int earlier = period;
    period = earlier + 1;
    final long since = time.nanos();
    while (counts.get(earlier & 1) > 0 && time.nanos() - since < PATIENCE_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
