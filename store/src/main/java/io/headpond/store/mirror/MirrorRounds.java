// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import java.util.concurrent.TimeUnit;

/**
 * The schedule of a log directory's mirror rounds. Each round ends with a force, and a force of a
 * journalling file system holds up whoever changes an index or a directory at home: the fewer, the
 * better. But everything that was acknowledged up to a round's beginning is as far behind as that
 * round takes, on top of the time since the one before it. So a round begins as late as it can end
 * within the limit, by what the last one took. One thread.
 */
final class MirrorRounds {
  /** Looks at whether a round is due, within the limit. */
  private static final int LOOKS = 16;

  private static final double EARLIEST_SHARE = 0.25;
  private static final double LATEST_SHARE = 0.7;

  /** A round that takes twice as long as the last one still ends within the limit. */
  private static final double END_SHARE = 0.8;

  private static final int TIMES_LAST = 2;

  /** Where each append waits for a round, one begins when somebody waits; else now and then. */
  private static final long UNASKED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LIMIT_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(4);

  /** With a longer one a round would copy all at once what a disk takes better bit by bit. */
  private static final long LIMIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private static final long LOOK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

  /** Zero: each append waits for a round. */
  private volatile long limitNanos;

  /** Of the last round that copied anything; zero: none has. */
  private long lastBytes;

  private long lastNanos;

  /**
   * Rounds for mirrors that may be so far behind.
   *
   * @param limitNanos zero: each append waits for a round of its own
   */
  MirrorRounds(final long limitNanos) {
    limit(limitNanos);
  }

  /** They may be so far behind from now on. Any thread. */
  void limit(final long nanos) {
    limitNanos = nanos == 0 ? 0 : Math.min(LIMIT_NANOS_MAX, Math.max(LIMIT_NANOS_MIN, nanos));
  }

  /** A round has ended that copied so many bytes in so many nanoseconds. */
  void ended(final long bytes, final long nanos) {
    if (bytes > 0) {
      lastBytes = bytes;
      lastNanos = nanos;
    }
  }

  /** Nanoseconds from a round's beginning until the next one can be due. */
  long earliestNanos() {
    return limitNanos == 0 ? UNASKED_NANOS : (long) (limitNanos * EARLIEST_SHARE);
  }

  /** Nanoseconds from one look to the next. */
  long lookNanos() {
    return limitNanos == 0 ? UNASKED_NANOS : Math.max(LOOK_NANOS_MIN, limitNanos / LOOKS);
  }

  /** True if there is time between rounds to copy some of what the next one would. */
  boolean copiesAhead() {
    return limitNanos > 0;
  }

  /**
   * True if the next round is to begin now.
   *
   * @param sinceNanos since the last one began
   * @param behindBytes that it would copy
   */
  boolean due(final long sinceNanos, final long behindBytes) {
    if (sinceNanos < earliestNanos()) {
      return false;
    }
    return sinceNanos >= limitNanos * LATEST_SHARE
        || lastBytes == 0 && behindBytes > 0
        || sinceNanos + TIMES_LAST * expectedNanos(behindBytes) >= limitNanos * END_SHARE;
  }

  /** As long as the last one, or longer in proportion to what there is to copy. */
  private double expectedNanos(final long behindBytes) {
    return lastBytes == 0 ? 0 : (double) lastNanos * Math.max(1, (double) behindBytes / lastBytes);
  }
}
