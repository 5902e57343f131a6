// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Lets a log's descriptor be closed at a moment when nobody reads through it.
 *
 * <p>Reads of single entries pass in any number and hold up a close for as long as they take; a
 * close that waits holds up the reads that come after it, {@link #WAIT_MS} at most. A scan of a
 * whole log, which may take minutes, isn't waited for: the close is given up and tried again later.
 * Logs share a fixed number of locks. Any thread.
 */
final class ReadGate {
  private static final int STRIPES = 64;
  private static final long WAIT_MS = 10;

  private final StampedLock[] stripes = new StampedLock[STRIPES];

  /** Number of scans of each log under way. */
  private final ConcurrentHashMap<Long, Integer> scans = new ConcurrentHashMap<>();

  ReadGate() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new StampedLock();
    }
  }

  private StampedLock stripe(final long log) {
    return stripes[(int) (log & (STRIPES - 1))];
  }

  /** Begins a read; must not be nested. Returns the stamp for {@link #exit}. */
  long enter(final long log) {
    return stripe(log).readLock();
  }

  /** Ends a read. */
  void exit(final long log, final long stamp) {
    stripe(log).unlockRead(stamp);
  }

  /** Begins a scan; may be nested. */
  void beginScan(final long log) {
    final long stamp = enter(log);
    try {
      scans.merge(log, 1, Integer::sum);
    } finally {
      exit(log, stamp);
    }
  }

  /** Ends a scan. */
  void endScan(final long log) {
    scans.compute(log, (id, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Runs an action while nobody reads the log.
   *
   * @return false if it isn't run, because somebody does
   */
  boolean closed(final long log, final Runnable action) throws InterruptedException {
    final StampedLock stripe = stripe(log);
    final long stamp = stripe.tryWriteLock(WAIT_MS, TimeUnit.MILLISECONDS);
    if (stamp == 0) {
      return false;
    }
    try {
      if (scans.containsKey(log)) {
        return false;
      }
      action.run();
      return true;
    } finally {
      stripe.unlockWrite(stamp);
    }
  }
}
