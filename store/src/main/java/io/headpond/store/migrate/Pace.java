// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The rate at which migration may copy: the configured limit, and less while it slows the engine's
 * appends.
 *
 * <p>The control loop: an append that takes more than {@link #SLOW_FACTOR} times what the slowest 1
 * % took while nothing was migrated is a slow one. After each {@link #WINDOW_NANOS} with a copy
 * under way the slow ones are counted, those of earlier windows with a weight that falls by {@link
 * #MEMORY} a window. Clearly more than {@link #SLOW_SHARE_MAX} (by a standard deviation of that
 * count) lower the rate to {@link #DECREASE} of what was really copied, down to {@link #RATE_MIN};
 * up to {@link #SLOW_SHARE_MAX} it rises by {@link #INCREASE} (additive steps would take minutes
 * from a slow disk's rate to a fast one's); in between it stays. Beside appends it begins at {@link
 * #RATE_START} and doubles until it is felt for the first time: whole segments are copied before a
 * loop that comes from above has taken its steps. Where nothing is appended for {@link
 * #QUIET_WINDOWS}, nothing holds it up. The limit is shared by all migration threads.
 *
 * <p>At {@link #RATE_MIN} it isn't migration that slows appends: what they take then is taken for
 * usual from there on, or a machine that got busier would stop migration for good. Nor is there any
 * yielding while a tier is about to be full, or fills so fast that it will be: the evacuation of a
 * whole segment would be a far longer wait.
 *
 * <p>What an append took is only looked at while something is migrated, and in one of {@link
 * #SAMPLE} otherwise. Any thread.
 */
public final class Pace {
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final double SLOW_FACTOR = 1.1;
  static final double SLOW_SHARE_MAX = 0.01;
  static final double DECREASE = 0.7;
  static final double INCREASE = 1.1;
  static final double INCREASE_UNFELT = 2;
  static final double MEMORY = 0.5;
  static final int QUIET_WINDOWS = 5;
  static final double RATE_MIN = 16 << 20;
  static final double RATE_START = 64 << 20;

  /** While nothing is migrated, one append in so many is to be timed. */
  public static final int SAMPLE = 16;

  /** Faster than any device: where a rate begins that nothing has limited yet. */
  private static final double RATE_MAX = 64e9;

  /** The longest pause that may be made up for. */
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Fewer appends than this say nothing about a share of 1 %; they count in the next window. */
  private static final long APPENDS_MIN = 200;

  /** More than this are halved, so that an engine's first, slow appends are soon forgotten. */
  private static final long IDLE_MAX = 4_000;

  /** Latencies by a sixteenth of a power of two, in nanoseconds: 4 to 6 % wide. */
  private static final int STEP_BITS = 4;

  private static final int STEPS = 1 << STEP_BITS;
  private static final int BUCKETS = 64 * STEPS;

  private final double limit;
  private final LongAdder[] idle = new LongAdder[BUCKETS];
  private final LongAdder[] busy = new LongAdder[BUCKETS];

  private volatile boolean copying;
  private int copiers;
  private double rate;
  private boolean felt;
  private int quietWindows;
  private double appendsSeen;
  private double slowOnesSeen;
  private long paidUntilNanos;
  private long windowNanos;
  private long windowBytes;
  private volatile boolean yielding;
  private volatile boolean urgent;

  /**
   * A new pace.
   *
   * @param bytesPerSecond the configured limit; zero or less: none
   * @param nowNanos the clock that all other times are taken from
   */
  public Pace(final long bytesPerSecond, final long nowNanos) {
    limit = bytesPerSecond > 0 ? bytesPerSecond : RATE_MAX;
    rate = Math.min(limit, RATE_START);
    windowNanos = nowNanos;
    paidUntilNanos = nowNanos;
    for (int i = 0; i < BUCKETS; i++) {
      idle[i] = new LongAdder();
      busy[i] = new LongAdder();
    }
  }

  /** To be called about once a second: what appends took long ago counts less. */
  public synchronized void tick() {
    age(idle);
  }

  /** True while a copy is under way, so that every append's time is wanted. */
  public boolean copying() {
    return copying;
  }

  /** True while it is slower than the configured limit, for the engine's sake. */
  public boolean yielding() {
    return yielding;
  }

  /** A copy begins; {@link #end} must follow. */
  public synchronized void begin(final long nowNanos) {
    if (copiers++ == 0) {
      for (final LongAdder count : busy) {
        count.reset();
      }
      windowNanos = nowNanos;
      windowBytes = 0;
      appendsSeen = 0;
      slowOnesSeen = 0;
      if (total(idle) == 0) {
        rate = limit;
      }
      copying = true;
    }
  }

  /** A copy is over. */
  public synchronized void end() {
    copiers--;
    copying = copiers > 0;
    yielding &= copying;
  }

  /** Tells whether a tier is about to be full, or fills so fast that it will be soon. */
  public void urgent(final boolean now) {
    urgent = now;
  }

  /** An append took that long. */
  public void appended(final long nanos) {
    (copying ? busy : idle)[bucket(nanos)].increment();
  }

  private static int bucket(final long nanos) {
    final long n = Math.max(STEPS, nanos);
    final int log = 63 - Long.numberOfLeadingZeros(n);
    return log * STEPS + (int) (n >>> (log - STEP_BITS) & (STEPS - 1));
  }

  /** The least time that belongs to a bucket. */
  private static double nanos(final int bucket) {
    return Math.scalb(1 + (bucket & (STEPS - 1)) / (double) STEPS, bucket >> STEP_BITS);
  }

  /**
   * Counts copied bytes; how long the copier is to wait now, in nanoseconds. What was copied is
   * paid for afterwards, so that one large piece can't be refused.
   */
  public synchronized long copied(final long bytes, final long nowNanos) {
    if (nowNanos - windowNanos >= WINDOW_NANOS) {
      adjust(windowBytes * 1e9 / (nowNanos - windowNanos));
      windowNanos = nowNanos;
      windowBytes = 0;
    }
    windowBytes += bytes;
    if (paidUntilNanos - nowNanos < -BURST_NANOS) {
      paidUntilNanos = nowNanos - BURST_NANOS;
    }
    paidUntilNanos += (long) (bytes * 1e9 / rate);
    return Math.max(0, paidUntilNanos - nowNanos);
  }

  /** A window is over, in which so much was copied a second. */
  private void adjust(final double copiedRate) {
    final double slow = SLOW_FACTOR * percentile99(idle);
    long appends = 0;
    long slowOnes = 0;
    for (int i = 0; i < BUCKETS; i++) {
      final long count = busy[i].sum();
      appends += count;
      if (nanos(i) > slow) {
        slowOnes += count;
      }
    }
    yielding = false;
    quietWindows = appends == 0 ? quietWindows + 1 : 0;
    if (quietWindows >= QUIET_WINDOWS) {
      rate = limit;
    } else if (urgent) {
      rate = Math.min(limit, rate * INCREASE_UNFELT);
    } else if (appends >= APPENDS_MIN && slow > 0) {
      steer(appends, slowOnes, copiedRate);
    } else {
      rise();
    }
    if (appends >= APPENDS_MIN) {
      final boolean least = yielding && rate <= RATE_MIN;
      for (int i = 0; i < BUCKETS; i++) {
        final long count = busy[i].sumThenReset();
        idle[i].add(least ? count : 0);
      }
    }
  }

  private void steer(final long appends, final long slowOnes, final double copiedRate) {
    appendsSeen = appendsSeen * MEMORY + appends;
    slowOnesSeen = slowOnesSeen * MEMORY + slowOnes;
    final double usual = appendsSeen * SLOW_SHARE_MAX;
    yielding = slowOnesSeen > usual + Math.sqrt(usual);
    if (yielding) {
      felt = true;
      rate = Math.min(limit, Math.max(RATE_MIN, Math.min(rate, copiedRate) * DECREASE));
    } else if (slowOnesSeen <= usual) {
      rise();
    }
  }

  private void rise() {
    rate = Math.min(limit, rate * (felt ? INCREASE : INCREASE_UNFELT));
  }

  private static long total(final LongAdder[] histogram) {
    long all = 0;
    for (final LongAdder count : histogram) {
      all += count.sum();
    }
    return all;
  }

  /** Zero if too few were seen. */
  private static double percentile99(final LongAdder[] histogram) {
    final long all = total(histogram);
    if (all < APPENDS_MIN) {
      return 0;
    }
    long above = 0;
    int bucket = BUCKETS - 1;
    while (bucket > 0 && above + histogram[bucket].sum() <= all / 100) {
      above += histogram[bucket--].sum();
    }
    return nanos(bucket);
  }

  /** Halves the counts when there are plenty: what was long ago counts less. */
  private static void age(final LongAdder[] histogram) {
    if (total(histogram) > IDLE_MAX) {
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
