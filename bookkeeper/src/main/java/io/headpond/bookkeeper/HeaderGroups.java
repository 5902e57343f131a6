// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What a journal's header holds behind BookKeeper's 8 bytes, which reads no further: a stamp, and
 * in two copies how far the journal is durable and which groups have no room for a {@link
 * GroupTrailer}. A copy is written over the older of the two, so that one of them is whole whatever
 * becomes of the write. Both are in one sector.
 *
 * <p>A copy is, big-endian: its number (8 bytes), the position up to which all is durable (8), the
 * number of groups (4), each group's position (8), length (4) and CRC32C (4), zeros, and the CRC32C
 * of all that (4).
 *
 * <p>One thread.
 */
final class HeaderGroups {
  /** BookKeeper's {@code JournalChannel.HEADER_SIZE}, since its format 5. */
  static final int BYTES = 512;

  /** Groups that a copy has room for. */
  static final int MOST = 14;

  /** Position of the stamp in the file. */
  static final int STAMP_AT = Long.BYTES;

  private static final byte[] STAMP = "HPGROUP1".getBytes(StandardCharsets.US_ASCII);
  private static final int COPIES_AT = STAMP_AT + Long.BYTES;
  private static final int COPY_BYTES = (BYTES - COPIES_AT) / 2;

  /**
   * A group without a trailer.
   *
   * @param start its position, bytes
   * @param length bytes
   * @param sum CRC32C of its position and its records
   */
  record Group(long start, int length, int sum) {
    private long end() {
      return start + length;
    }
  }

  /**
   * What both copies of a header say.
   *
   * @param forced everything before that position is durable
   * @param groups behind it, without a trailer
   */
  record Found(long forced, List<Group> groups) {}

  private final Deque<Group> groups = new ArrayDeque<>();
  private final ByteBuffer copy = ByteBuffer.allocateDirect(COPY_BYTES);
  private long number;

  /** Puts the stamp into a header that is to be written. */
  static void stamp(ByteBuffer header) {
    header.put(STAMP_AT, STAMP);
  }

  /** Zeros over the stamp: groups of this journal can't be checked. */
  static ByteBuffer noStamp() {
    return ByteBuffer.allocate(STAMP.length);
  }

  /** Drops the groups that end at or before the position: all before it is durable. */
  void durable(long forced) {
    while (!groups.isEmpty() && groups.peek().end() <= forced) {
      groups.remove();
    }
  }

  /** Is there no room for one more group? */
  boolean full() {
    return groups.size() == MOST;
  }

  void add(Group group) {
    groups.add(group);
  }

  /**
   * The next copy; {@link #copyAt()} says where it belongs.
   *
   * @param forced everything before that position is durable
   */
  ByteBuffer nextCopy(long forced) {
    number++;
    copy.clear().putLong(number).putLong(forced).putInt(groups.size());
    for (Group group : groups) {
      copy.putLong(group.start).putInt(group.length).putInt(group.sum);
    }
    while (copy.remaining() > Integer.BYTES) {
      copy.putInt(0);
    }
    return copy.putInt(sum(copy.duplicate().flip())).flip();
  }

  /** Position in the file of what {@link #nextCopy} has made. */
  long copyAt() {
    return COPIES_AT + number % 2 * COPY_BYTES;
  }

  private static int sum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /**
   * Reads a header.
   *
   * @return null: it has no stamp, and nobody knows which groups are whole
   */
  static Found read(ByteBuffer header) {
    if (header.limit() < BYTES
        || !header.slice(STAMP_AT, STAMP.length).equals(ByteBuffer.wrap(STAMP))) {
      return null;
    }
    long forced = BYTES;
    List<Group> groups = new ArrayList<>();
    for (int at = COPIES_AT; at < BYTES; at += COPY_BYTES) {
      ByteBuffer copy = header.slice(at, COPY_BYTES);
      int checked = COPY_BYTES - Integer.BYTES;
      if (copy.getInt(checked) == sum(copy.slice(0, checked)) && copy.getLong() > 0) {
        forced = Math.max(forced, copy.getLong());
        for (int left = Math.min(copy.getInt(), MOST); left > 0; left--) {
          groups.add(new Group(copy.getLong(), copy.getInt(), copy.getInt()));
        }
      }
    }
    return new Found(forced, groups);
  }
}
