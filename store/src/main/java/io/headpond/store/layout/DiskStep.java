// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The number of bytes that copies to one disk write into the page cache before they force them: as
 * few as the disk takes without getting clearly slower. All of them are in the disk's queue at
 * once, and whatever else needs the disk waits behind them, such as the commit of the file system's
 * journal. Any thread.
 *
 * <p>A force takes a time of its own beside that of its bytes. Both follow from the times of two
 * sizes: the line through them. Taken is the smallest size of which the bytes' share of the time is
 * {@link #SHARE_MIN}. What is known of a size is forgotten after {@link #MEMORY_NANOS}, and its
 * neighbour tried again: disks have busy times.
 */
public final class ForceStep {
  static final double SHARE_MIN = 0.9;
  static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Sizes are 1, 2, 4, 8 and 16 MiB. */
  private static final int SIZES = 5;

  private static final int SMALLEST_BITS = 20;

  /** The weight of one force in what is known of its size. */
  private static final double WEIGHT = 0.3;

  /** The time of a force by size, nanoseconds; zero: not known. */
  private final double[] nanosOf = new double[SIZES];

  private final long[] seenNanos = new long[SIZES];

  /** Begins with 4 MiB: most segments are larger, and the first force of few is felt less. */
  private int size = 2;

  /**
   * Held while a step is forced: copies to one disk take turns, so that the bytes of one step are
   * in its queue, not those of each copy.
   */
  final ReentrantLock turn = new ReentrantLock();

  private static double bytes(final int size) {
    return 1L << SMALLEST_BITS + size;
  }

  /** The bytes of the next step. */
  public synchronized long bytes() {
    return (long) bytes(size);
  }

  /**
   * A force has ended.
   *
   * @param bytes that it wrote
   * @param nanos that it took
   * @param nowNanos the present time
   */
  synchronized void forced(final long bytes, final long nanos, final long nowNanos) {
    if (bytes != bytes() || nanos <= 0) {
      return; // the rest of a file says nothing about a step
    }
    nanosOf[size] =
        known(size, nowNanos) ? nanosOf[size] + WEIGHT * (nanos - nanosOf[size]) : nanos;
    seenNanos[size] = nowNanos;
    int small = 0;
    while (!known(small, nowNanos)) {
      small++;
    }
    int large = SIZES - 1;
    while (!known(large, nowNanos)) {
      large--;
    }
    size = small == large ? neighbour(size) : best(small, large);
  }

  private static int neighbour(final int size) {
    return size == 0 ? 1 : size - 1;
  }

  private boolean known(final int which, final long nowNanos) {
    return nanosOf[which] > 0 && nowNanos - seenNanos[which] < MEMORY_NANOS;
  }

  /** By the line through the times of two sizes. */
  private int best(final int small, final int large) {
    final double perByte = (nanosOf[large] - nanosOf[small]) / (bytes(large) - bytes(small));
    final double alone = Math.max(0, nanosOf[small] - perByte * bytes(small));
    int best = 0;
    while (best < SIZES - 1
        && perByte * bytes(best) < SHARE_MIN * (alone + perByte * bytes(best))) {
      best++;
    }
    return perByte <= 0 ? SIZES - 1 : best;
  }
}
