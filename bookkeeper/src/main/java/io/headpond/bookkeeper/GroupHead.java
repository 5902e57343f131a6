// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;

/**
 * The length of a group's first record, which is kept back until the whole group is in the file, so
 * that a scan finds all of the group or nothing. A group is what is written until all records are
 * whole: BookKeeper's flush, in as many pieces as its buffer makes of it; nothing of it is
 * acknowledged before the last one.
 *
 * <p>BookKeeper pads each group to {@code journalAlignmentSize} in the formats 5 and 6, so a head
 * never crosses a cache line: it is stored whole or not at all.
 *
 * <p>One thread.
 */
final class GroupHead {
  private static final int BYTES = RecordTrail.LENGTH_BYTES;

  private final ByteBuffer held = ByteBuffer.allocateDirect(BYTES);
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(BYTES);
  private long start;

  /** The first group begins there, where zeros are stored. */
  GroupHead(long start) {
    this.start = start;
  }

  /**
   * Keeps what the source has of the head; its position moves past that.
   *
   * @param at where the source's first byte belongs
   * @return where the rest belongs
   */
  long take(ByteBuffer source, long at) {
    long next = at;
    while (next < start + BYTES && source.hasRemaining()) {
      held.put(source.get());
      next++;
    }
    return next;
  }

  /** Where the group begins, and its head belongs. */
  long start() {
    return start;
  }

  /** What ends a scan behind the group: goes to its end before the head is stored. */
  ByteBuffer terminator() {
    return zeros.clear();
  }

  /** The head, once everything else of the group is stored. */
  ByteBuffer head() {
    return held.flip();
  }

  /** The head is stored: another group begins. */
  void next(long end) {
    held.clear();
    start = end;
  }
}
