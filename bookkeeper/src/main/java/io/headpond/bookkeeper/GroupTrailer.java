// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;

/**
 * The last bytes of a group that ends with padding: what tells a start whether the group is whole.
 * BookKeeper skips them, as it skips all that padding holds.
 *
 * @param length bytes of the group, with these
 * @param unforced bytes in front of the group that weren't known to be durable when it was written;
 *     negative: not known
 * @param sum CRC32C of the group's position, its records and the two words before
 */
record GroupTrailer(int length, int unforced, int sum) {
  /** Length of a trailer. */
  static final int BYTES = 3 * Integer.BYTES;

  /**
   * The trailer of a group.
   *
   * @param trail has followed all of it
   * @param forced everything before that position is durable
   */
  static GroupTrailer of(RecordTrail trail, long start, long end, long forced) {
    int length = Math.toIntExact(end - start);
    long behind = start - forced;
    int unforced = behind > Integer.MAX_VALUE ? -1 : (int) behind;
    return new GroupTrailer(length, unforced, trail.sumWith(length, unforced));
  }

  static GroupTrailer read(ByteBuffer bytes) {
    return new GroupTrailer(bytes.getInt(), bytes.getInt(), bytes.getInt());
  }

  void put(ByteBuffer bytes) {
    bytes.putInt(length).putInt(unforced).putInt(sum);
  }

  /** Is it that of a group that was followed to its end? Then a group must begin. */
  boolean of(RecordTrail trail) {
    return sum == trail.sumWith(length, unforced);
  }

  /** Everything before that position was durable when the group at {@code start} was written. */
  long forced(long start) {
    return unforced < 0 ? 0 : start - unforced;
  }
}
