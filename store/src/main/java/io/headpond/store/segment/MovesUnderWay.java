// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/**
 * The moves that copy a segment now: what changed under them, and who waits for one to end. Under
 * the segment's lock, but for what says any thread.
 */
final class MovesUnderWay {
  /** A copy that takes longer than this may never end: a device that doesn't answer. */
  private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  /** One was finished or given up. */
  private final Condition ended;

  private volatile boolean awaited;

  /** Moves that want to know of changes; volatile because reads of the flag need no lock. */
  private volatile int watchers;

  /** The number of changes to bytes that were there before. */
  private volatile int changes;

  /**
   * No moves.
   *
   * @param lock the segment's
   */
  MovesUnderWay(final Lock lock) {
    ended = lock.newCondition();
  }

  /** One begins; the number of changes so far. */
  int begin() {
    watchers++;
    return changes;
  }

  /** One was finished or given up. */
  void end() {
    watchers--;
    ended.signalAll();
  }

  /** The segment lies elsewhere now: who waits goes on. */
  void arrived() {
    ended.signalAll();
  }

  /**
   * Waits for a move, for which the lock is let go.
   *
   * @param there does the segment lie elsewhere?
   */
  void await(final BooleanSupplier there) {
    awaited = watchers > 0;
    long leftNanos = AWAIT_NANOS_MAX;
    boolean interrupted = false;
    while (watchers > 0 && !there.getAsBoolean() && leftNanos > 0) {
      try {
        leftNanos = ended.awaitNanos(leftNanos);
      } catch (final InterruptedException e) {
        interrupted = true;
      }
    }
    awaited = false;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** True while somebody waits. Any thread, as are the next two. */
  boolean awaited() {
    return awaited;
  }

  /** True if there is one. */
  boolean any() {
    return watchers > 0;
  }

  /** The number of changes. */
  int changes() {
    return changes;
  }

  /** Bytes that were there became others. */
  void changed() {
    changes++;
  }
}
