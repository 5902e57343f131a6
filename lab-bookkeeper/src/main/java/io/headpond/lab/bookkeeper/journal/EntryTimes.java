// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The times from logging an entry to its acknowledgement, of few entries under way: the thread that
 * logs them sleeps until it is woken, as a bookie's threads do. One thread logs, one acknowledges,
 * in the order of the entries.
 */
final class EntryTimes {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long first;
  private final long[] begunNanos;
  private final Thread logging = Thread.currentThread();
  private volatile long awaited = Long.MAX_VALUE;
  private long[] nanos = new long[1 << 16];
  private int count;

  /**
   * Of entries from that one on.
   *
   * @param underWay entries at most that aren't acknowledged
   */
  EntryTimes(long first, int underWay) {
    this.first = first;
    this.begunNanos = new long[underWay + 1];
  }

  /** The entry is about to be logged. */
  void logged(long id) {
    begunNanos[place(id)] = System.nanoTime();
  }

  /** The entry is durable. */
  void acknowledged(long id) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = System.nanoTime() - begunNanos[place(id)];
  }

  private int place(long id) {
    return (int) ((id - first) % begunNanos.length);
  }

  /** So many entries are acknowledged: the thread that logs goes on if it waits for no more. */
  void wake(long acknowledged) {
    if (acknowledged >= awaited) {
      awaited = Long.MAX_VALUE;
      LockSupport.unpark(logging);
    }
  }

  /** Waits, not for ever, until so many are acknowledged. */
  void await(AtomicLong acknowledged, long wanted) {
    awaited = wanted;
    if (acknowledged.get() < wanted) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    awaited = Long.MAX_VALUE;
  }

  /** A quantile, once all are acknowledged; 0: there was no entry. */
  long nanos(double quantile) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[(int) Math.min(count - 1L, (long) (count * quantile))];
  }
}
