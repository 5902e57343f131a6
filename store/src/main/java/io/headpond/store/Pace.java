// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How fast migration may copy: the configured limit, and less while it slows the engine's appends.
 *
 * <p>The control loop: an append that takes more than {@link #SLOW_FACTOR} times what the slowest 1
 * % took while nothing was migrated is a slow one. After each {@link #WINDOW_NANOS} with a copy
 * under way, more than {@link #SLOW_SHARE_MAX} slow ones lower the rate by {@link #DECREASE}, down
 * to {@link #RATE_MIN}; otherwise it rises by {@link #INCREASE} (additive steps would take minutes
 * from a slow disk's rate to a fast one's). The limit is shared by all migration threads.
 *
 * <p>What an append took is only looked at while something is migrated, and in one of {@link
 * #SAMPLE} otherwise. Any thread.
 */
final class Pace {
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final double SLOW_FACTOR = 1.2;
  static final double SLOW_SHARE_MAX = 0.02;
  static final double DECREASE = 0.7;
  static final double INCREASE = 1.1;
  static final double RATE_MIN = 4 << 20;
  static final int SAMPLE = 64;

  /** Faster than any device: where a rate begins that nothing has limited yet. */
  private static final double RATE_MAX = 64e9;

  /** What was not used may be made up for, up to this. */
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Fewer appends than this say nothing about a share of 2 %. */
  private static final long APPENDS_MIN = 50;

  /** Latencies by a quarter of a power of two, in nanoseconds. */
  private static final int BUCKETS = 64 * 4;

  private final double limit;
  private final LongAdder[] idle = new LongAdder[BUCKETS];
  private final LongAdder[] busy = new LongAdder[BUCKETS];

  private volatile boolean copying;
  private int copiers;
  private double rate;
  private long paidUntilNanos;
  private long windowNanos;
  private volatile boolean yielding;

  /**
   * A new pace.
   *
   * @param bytesPerSecond the configured limit; zero or less: none
   */
  Pace(final long bytesPerSecond, final long nowNanos) {
    limit = bytesPerSecond > 0 ? bytesPerSecond : RATE_MAX;
    rate = limit;
    windowNanos = nowNanos;
    paidUntilNanos = nowNanos;
    for (int i = 0; i < BUCKETS; i++) {
      idle[i] = new LongAdder();
      busy[i] = new LongAdder();
    }
  }

  /** Is a copy under way, so that every append's time is wanted? */
  boolean copying() {
    return copying;
  }

  /** Is it slower than it was told to be, for the engine's sake? */
  boolean yielding() {
    return yielding;
  }

  synchronized void begin() {
    copiers++;
    copying = true;
  }

  synchronized void end() {
    copiers--;
    copying = copiers > 0;
    yielding &= copying;
  }

  /** An append took that long. */
  void appended(final long nanos) {
    (copying ? busy : idle)[bucket(nanos)].increment();
  }

  private static int bucket(final long nanos) {
    final long n = Math.max(4, nanos);
    final int log = 63 - Long.numberOfLeadingZeros(n);
    return log * 4 + (int) (n >>> (log - 2) & 3);
  }

  /** The least time that belongs to a bucket. */
  private static double nanos(final int bucket) {
    return Math.scalb(1 + (bucket & 3) / 4.0, bucket >> 2);
  }

  /**
   * Counts copied bytes; how long the copier is to wait now, in nanoseconds. What was copied is
   * paid for afterwards, so that one large piece can't be refused.
   */
  synchronized long copied(final long bytes, final long nowNanos) {
    if (nowNanos - windowNanos >= WINDOW_NANOS) {
      adjust();
      windowNanos = nowNanos;
    }
    if (paidUntilNanos - nowNanos < -BURST_NANOS) {
      paidUntilNanos = nowNanos - BURST_NANOS;
    }
    paidUntilNanos += (long) (bytes * 1e9 / rate);
    return Math.max(0, paidUntilNanos - nowNanos);
  }

  private void adjust() {
    final double slow = SLOW_FACTOR * percentile99(idle);
    long appends = 0;
    long slowOnes = 0;
    for (int i = 0; i < BUCKETS; i++) {
      final long count = busy[i].sumThenReset();
      appends += count;
      if (nanos(i) > slow) {
        slowOnes += count;
      }
    }
    yielding = slow > 0 && appends >= APPENDS_MIN && slowOnes > appends * SLOW_SHARE_MAX;
    rate = yielding ? Math.max(RATE_MIN, rate * DECREASE) : Math.min(limit, rate * INCREASE);
    rate = Math.min(rate, limit);
    age(idle);
  }

  /** Zero if too few were seen. */
  private static double percentile99(final LongAdder[] histogram) {
    long all = 0;
    for (final LongAdder count : histogram) {
      all += count.sum();
    }
    if (all < APPENDS_MIN) {
      return 0;
    }
    long above = 0;
    int bucket = BUCKETS - 1;
    while (bucket > 0 && above + histogram[bucket].sum() <= all / 100) {
      above += histogram[bucket--].sum();
    }
    return nanos(bucket + 1);
  }

  /** What was long ago counts less: halved when there is plenty. */
  private static void age(final LongAdder[] histogram) {
    long all = 0;
    for (final LongAdder count : histogram) {
      all += count.sum();
    }
    if (all > 100_000) {
      for (final LongAdder count : histogram) {
        count.add(-count.sum() / 2);
      }
    }
  }

  /** For tests: bytes a second. */
  synchronized double rate() {
    return rate;
  }
}
