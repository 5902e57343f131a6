// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of latencies. Its buckets are an eighth of a power of two, 9 to 13 % wide, from 64 ns
 * to 68 s; what is shorter or longer counts at the ends.
 *
 * <p>Recording takes no lock and allocates nothing. Any thread.
 */
public final class LatencyHistogram {
  /** The number of buckets. */
  public static final int BUCKETS = 240;

  private static final int STEP_BITS = 3;
  private static final int STEPS = 1 << STEP_BITS;
  private static final int LOG_MIN = 6;

  private final LongAdder[] counts = new LongAdder[BUCKETS];

  private final LongAdder allNanos = new LongAdder();

  /** Nothing is counted yet. */
  public LatencyHistogram() {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Counts one. */
  public void record(final long nanos) {
    counts[bucket(nanos)].increment();
    allNanos.add(nanos);
  }

  /** The bucket of a time, nanoseconds. */
  public static int bucket(final long nanos) {
    final long n = Math.max(1L << LOG_MIN, nanos);
    final int log = 63 - Long.numberOfLeadingZeros(n);
    final int bucket =
        (log - LOG_MIN) * STEPS + (int) (n >>> (log - STEP_BITS) & (long) (STEPS - 1));
    return Math.min(BUCKETS - 1, bucket);
  }

  /** The counts so far, by bucket. */
  public long[] counts() {
    final long[] now = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      now[i] = counts[i].sum();
    }
    return now;
  }

  /** All times together, nanoseconds. */
  public long allNanos() {
    return allNanos.sum();
  }

  /** The least time that doesn't belong to a bucket any more, nanoseconds. */
  public static double endNanos(final int bucket) {
    final int next = bucket + 1;
    return Math.scalb(1 + (next & (STEPS - 1)) / (double) STEPS, LOG_MIN + (next >> STEP_BITS));
  }
}
