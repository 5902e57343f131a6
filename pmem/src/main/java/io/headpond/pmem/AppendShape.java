// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * The size of what a file's forces make durable, and the share of the time that they take: whether
 * zeros written ahead pay. Where each append forces its own bytes, a force is an append. Zeros save
 * each force a commit of the file system's journal, and cost the device as many bytes again. For
 * small forces the commit is most of their time. For large ones that keep the device busy the
 * second write is. One thread at a time counts; any thread asks.
 */
final class AppendShape {
  /** Forces below this size, in bytes, gain more by zeros ahead than these cost. */
  static final int SMALL_BYTES = 64 << 10;

  /** Forces from this size on, in bytes, gain little. */
  static final int LARGE_BYTES = 512 << 10;

  /** Between the two sizes: zeros pay while less than this share of the time is spent in forces. */
  private static final double BUSY_SHARE = 0.5;

  /** The weight of a force against all before it. */
  private static final double WEIGHT = 1.0 / 16;

  private double meanBytes;
  private double busyShare;
  private long lastEndNanos;
  private boolean any;
  private volatile boolean wantsZeros = true;

  /** Counts a force that began and ended at these times of a monotonic clock. */
  void forced(int bytes, long beginNanos, long endNanos) {
    if (any) {
      double share = (double) (endNanos - beginNanos) / Math.max(1, endNanos - lastEndNanos);
      meanBytes += (bytes - meanBytes) * WEIGHT;
      busyShare += (share - busyShare) * WEIGHT;
    } else {
      meanBytes = bytes;
    }
    lastEndNanos = endNanos;
    any = true;
    wantsZeros = meanBytes < SMALL_BYTES || meanBytes < LARGE_BYTES && busyShare < BUSY_SHARE;
  }

  /** True if zeros should be written ahead of what is forced next. */
  boolean wantsZeros() {
    return wantsZeros;
  }
}
