// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;

/**
 * The first bytes of a group, which are kept back until the rest of it is in the file, so that a
 * scan finds all of the group or nothing. A group is what is written until all records are whole:
 * BookKeeper's flush, in as many pieces as its buffer makes of it; nothing of it is acknowledged
 * before the last one.
 *
 * <p>BookKeeper pads each group to {@code journalAlignmentSize} in the formats 5 and 6, so the
 * length of its first record never crosses a cache line: it is stored whole or not at all.
 *
 * <p><b>Why a sector and not a length alone.</b> The length zero ends a scan, but BookKeeper's own
 * scan stands <em>behind</em> it then, and that is the mark that the next start replays from, if no
 * later one was made durable: 4 bytes further with each start. So a group's place is zero for as
 * many bytes as {@link #BYTES} until all of it but these is stored, and so are as many behind it.
 *
 * <p>One thread.
 */
final class GroupHead {
  /** At most; a shorter group is all head. */
  static final int BYTES = 512;

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
    assert at >= start : "a byte before the group";
    int part = (int) Math.min(Math.max(start + BYTES - at, 0), source.remaining());
    if (part > 0) {
      int limit = source.limit();
      held.put(source.limit(source.position() + part));
      source.limit(limit);
    }
    return at + part;
  }

  /**
   * Replaces what it has kept of the head, from a position on; the source moves past that.
   *
   * @param at where the source's first byte belongs, within the group
   */
  void replace(ByteBuffer source, long at) {
    int index = (int) Math.min(at - start, BYTES);
    int part = Math.min(source.remaining(), BYTES - index);
    held.put(index, source, source.position(), part);
    source.position(source.position() + part);
  }

  /** Position at which the group begins and its head is stored, in bytes. */
  long start() {
    return start;
  }

  /** Zeros that end a scan behind the group; stored at its end before the head. */
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
