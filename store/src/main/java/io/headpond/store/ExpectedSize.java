// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.concurrent.TimeUnit;

/**
 * What a segment will probably become, by which room is held back for it while it grows.
 *
 * @param bytes 0: nothing is known
 * @param learnt do the log's last segments say so? Otherwise the engine's configuration does
 */
record ExpectedSize(long bytes, boolean learnt) {
  private static final long RATE_FROM_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RATE_FOR_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A segment of less than this share of a directory is a small one. */
  private static final int SMALL_PARTS = 64;

  private static final long AHEAD_BYTES_MAX = 16 << 20;

  /** Room that a directory must have to begin the segment there. */
  long wantedBytes(final TierDirectory directory) {
    // A directory of little more than one segment is of use without what is grown ahead.
    final long wanted =
        Math.max(bytes, Math.min(bytes + aheadBytes(directory), directory.capacityBytes / 2));
    return learnt ? wanted : Math.min(wanted, directory.capacityBytes / HeldBack.GUESS_PARTS);
  }

  /** What a segment's file may be longer than the segment while it grows. */
  private long aheadBytes(final TierDirectory directory) {
    return directory.mapped() ? Math.min(bytes / 2, AHEAD_BYTES_MAX) : 0;
  }

  /**
   * What the segment will probably still take.
   *
   * @param physicalBytes what it takes already
   * @param grownBytes by how much it has grown within its age
   */
  long growthBytes(
      final TierDirectory directory,
      final long physicalBytes,
      final long grownBytes,
      final long ageNanos) {
    if (bytes > 0) {
      return Math.max(0, bytes + aheadBytes(directory) - physicalBytes);
    }
    return ageNanos < RATE_FROM_NANOS
        ? 0
        : Math.min((long) ((double) grownBytes / ageNanos * RATE_FOR_NANOS), smallBytes(directory));
  }

  /**
   * Is it all but sure that the segment takes much of the directory? Of small ones there may be
   * thousands, most of which grow no further for hours.
   */
  boolean isSure(final TierDirectory directory, final long physicalBytes) {
    return Math.max(learnt ? bytes : 0, physicalBytes) >= smallBytes(directory);
  }

  private static long smallBytes(final TierDirectory directory) {
    return directory.capacityBytes / SMALL_PARTS;
  }
}
