// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.concurrent.TimeUnit;

/**
 * The number of bytes that copies give one disk at once, forced or past the page cache: as few as
 * it takes without getting clearly slower. All of them are in the disk's queue at once, and
 * whatever else needs the disk waits behind them, such as the commit of the file system's journal,
 * and the engine's indexes behind that. Any thread.
 *
 * <p>A step takes a time of its own beside that of its bytes. Both follow from the times of two
 * sizes: the line through them. Taken is the smallest size of which the bytes' share of the time is
 * {@link #SHARE_MIN}. What is known of a size is forgotten after {@link #MEMORY_NANOS}, and its
 * neighbour tried again: disks have busy times.
 */
public final class DiskStep {
  static final double SHARE_MIN = 0.9;
  static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The weight of one step in what is known of its size. */
  private static final double WEIGHT = 0.3;

  /** The smallest size as a power of two; each other one is twice the one before. */
  private final int smallestBits;

  /** The time of a step by size, nanoseconds; zero: not known. */
  private final double[] nanosOf;

  private final long[] seenNanos;
  private int size;

  private DiskStep(final int smallestBits, final int sizes, final int first) {
    this.smallestBits = smallestBits;
    nanosOf = new double[sizes];
    seenNanos = new long[sizes];
    size = first;
  }

  /**
   * Of forces: 1 to 16 MiB. It begins with 4 MiB: most segments are larger, and the first force of
   * few is felt less.
   */
  static DiskStep ofForces() {
    return new DiskStep(20, 5, 2);
  }

  /** Of writes past the page cache: 128 KiB to 1 MiB, with which it begins. */
  static DiskStep ofWrites() {
    return new DiskStep(17, 4, 3);
  }

  private double bytes(final int which) {
    return 1L << smallestBits + which;
  }

  /** The bytes of the next step. */
  public synchronized long bytes() {
    return (long) bytes(size);
  }

  /**
   * A step has ended.
   *
   * @param bytes that it wrote
   * @param nanos that it took
   * @param nowNanos the present time
   */
  synchronized void took(final long bytes, final long nanos, final long nowNanos) {
    if (bytes != bytes() || nanos <= 0) {
      return; // the rest of a file says nothing
    }
    nanosOf[size] =
        known(size, nowNanos) ? nanosOf[size] + WEIGHT * (nanos - nanosOf[size]) : nanos;
    seenNanos[size] = nowNanos;
    int small = 0;
    while (!known(small, nowNanos)) {
      small++;
    }
    int large = nanosOf.length - 1;
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
    while (best < nanosOf.length - 1
        && perByte * bytes(best) < SHARE_MIN * (alone + perByte * bytes(best))) {
      best++;
    }
    return perByte <= 0 ? nanosOf.length - 1 : best;
  }
}
