// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.concurrent.TimeUnit;

/**
 * The size that a segment will probably reach, and how fast. Room is held back by it while the
 * segment grows.
 *
 * @param bytes 0: nothing is known
 * @param learnt do the log's last segments say so? Otherwise the engine's configuration does
 * @param bytesPerNano the rate at which the log's last segment grew; 0: not known
 */
public record ExpectedSize(long bytes, boolean learnt, double bytesPerNano) {
  private static final long RATE_FROM_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RATE_FOR_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A segment of less than this share of a directory is a small one. */
  private static final int SMALL_PARTS = 64;

  private static final long AHEAD_BYTES_MAX = 16 << 20;

  /**
   * The size by what is known.
   *
   * @param learntBytes what the log's last segments came to; 0: it has none
   * @param configuredBytes the engine's configuration; 0: it says nothing
   */
  public static ExpectedSize of(final long learntBytes, final long configuredBytes) {
    return learntBytes > 0
        ? new ExpectedSize(learntBytes, true, 0)
        : new ExpectedSize(configuredBytes, false, 0);
  }

  /** The same of a log whose last segment grew at a rate. */
  public ExpectedSize at(final double lastBytesPerNano) {
    return new ExpectedSize(bytes, learnt, lastBytesPerNano);
  }

  /**
   * The rate at which the segment grows. What the last one did counts as its first second, or
   * nothing would be known of a segment that was just begun.
   *
   * @param grownBytes by how much it has grown within its age
   */
  public double growthPerNano(final long grownBytes, final long ageNanos) {
    return (grownBytes + bytesPerNano * RATE_FROM_NANOS) / (ageNanos + RATE_FROM_NANOS);
  }

  /**
   * Room that a tier directory must have to begin the segment there.
   *
   * @param capacityBytes the directory's
   * @param mapped are its files written by mappings?
   */
  public long wantedBytes(final long capacityBytes, final boolean mapped) {
    // A directory of little more than one segment is of use without what is grown ahead.
    final long wanted = Math.max(bytes, Math.min(bytes + aheadBytes(mapped), capacityBytes / 2));
    return learnt ? wanted : Math.min(wanted, HeldBack.guessMaxBytes(capacityBytes));
  }

  /** The bytes by which a segment's file may be longer than the segment while it grows. */
  private long aheadBytes(final boolean mapped) {
    return mapped ? Math.min(bytes / 2, AHEAD_BYTES_MAX) : 0;
  }

  /**
   * The bytes that the segment will probably still take.
   *
   * @param physicalBytes what it takes already
   * @param grownBytes by how much it has grown within its age
   */
  public long growthBytes(
      final long capacityBytes,
      final boolean mapped,
      final long physicalBytes,
      final long grownBytes,
      final long ageNanos) {
    if (bytes > 0) {
      return Math.max(0, bytes + aheadBytes(mapped) - physicalBytes);
    }
    return ageNanos < RATE_FROM_NANOS
        ? 0
        : Math.min(
            (long) ((double) grownBytes / ageNanos * RATE_FOR_NANOS), smallBytes(capacityBytes));
  }

  /**
   * Of {@link #growthBytes}, those that it will take soon, at the rate at which it grows.
   *
   * @param grownBytes by how much it has grown within its age
   */
  public long soonBytes(final long grownBytes, final long ageNanos) {
    return (long) (growthPerNano(grownBytes, ageNanos) * RATE_FOR_NANOS);
  }

  /**
   * True if the segment all but surely takes much of the directory. Of small ones there may be
   * thousands, most of which grow no further for hours.
   */
  public boolean isSure(final long capacityBytes, final long physicalBytes) {
    return Math.max(learnt ? bytes : 0, physicalBytes) >= smallBytes(capacityBytes);
  }

  private static long smallBytes(final long capacityBytes) {
    return capacityBytes / SMALL_PARTS;
  }
}
