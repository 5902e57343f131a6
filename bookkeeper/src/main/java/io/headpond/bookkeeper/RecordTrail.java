// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Follows the records of a journal as its bytes are written or read one after the other, and knows
 * whether the last one is whole. On demand it sums up what the records of a group hold.
 *
 * <p>The format is that of BookKeeper's {@code Journal.scanJournal}, in all versions from 4.16 to
 * 4.18: after the header, records of a length (4 bytes, big-endian) and so many bytes; or {@code
 * -0x100}, a length, and so many bytes without a meaning. A record has no checksum: what follows a
 * length is taken for an entry as soon as the file is long enough, and a file that is reused always
 * is.
 *
 * <p>One thread.
 */
final class RecordTrail {
  /** Bytes of a length: what a scan must not find before the record is whole. */
  static final int LENGTH_BYTES = Integer.BYTES;

  private static final int PADDING_MASK = -0x100;

  private final ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES);
  private final ByteBuffer seed = ByteBuffer.allocate(Long.BYTES);
  private final CRC32C sum;
  private long left;
  private boolean padding;
  private boolean meaningless;
  private int room;
  private boolean lost;

  /** Follows without a checksum. */
  RecordTrail() {
    sum = null;
  }

  /**
   * End of the record that begins at the position.
   *
   * @param lengths the bytes there, for which 8 are enough
   * @return negative: no record begins there
   */
  static long end(ByteBuffer lengths, long position) {
    RecordTrail trail = new RecordTrail();
    long end = position;
    do {
      if (lengths.remaining() < LENGTH_BYTES) {
        return -1;
      }
      trail.length.putInt(lengths.getInt());
      trail.lengthIsKnown();
      end += LENGTH_BYTES;
    } while (trail.padding);
    return trail.lost ? -1 : end + trail.left;
  }

  /** Follows a group that begins at the position, in bytes, and sums it up. */
  RecordTrail(long start) {
    sum = new CRC32C();
    begin(start);
  }

  /** A group begins there: its checksum begins with the position itself. */
  void begin(long start) {
    sum.reset();
    sum.update(seed.putLong(0, start).array());
  }

  /** True if every record that was begun is whole. */
  boolean whole() {
    return lost || left == 0 && length.position() == 0 && !padding;
  }

  /** Was there something that is no record? Zero, for one, where a length should be. */
  boolean lost() {
    return lost;
  }

  /** Bytes of the last record that have no meaning, behind its two lengths; 0 of an entry. */
  int room() {
    return room;
  }

  /** CRC32C of the group's position and its bytes so far, but for what has no meaning. */
  int sum() {
    return (int) sum.getValue();
  }

  /** The same with two more words; then a group must begin. */
  int sumWith(int first, int second) {
    sum.update(seed.putInt(0, first).putInt(Integer.BYTES, second).array());
    return sum();
  }

  /** The next bytes are written. The buffer's own position stays. */
  void follow(ByteBuffer bytes) {
    ByteBuffer rest = bytes.duplicate();
    while (rest.hasRemaining() && !lost) {
      step(rest);
    }
  }

  /**
   * Moves the buffer's position to the end of the record, or to its limit.
   *
   * @return is it the end of a record?
   */
  boolean step(ByteBuffer bytes) {
    while (bytes.hasRemaining() && !lost) {
      if (left > 0) {
        content(bytes);
      } else {
        length.put(bytes.get());
        if (!length.hasRemaining()) {
          lengthIsKnown();
        }
      }
      if (whole() && !lost) {
        return true;
      }
    }
    return false;
  }

  private void content(ByteBuffer bytes) {
    int part = (int) Math.min(left, bytes.remaining());
    int to = bytes.position() + part;
    if (sum != null && !meaningless) {
      int limit = bytes.limit();
      sum.update(bytes.limit(to));
      bytes.limit(limit);
    } else {
      bytes.position(to);
    }
    left -= part;
  }

  private void lengthIsKnown() {
    int value = length.getInt(0);
    length.clear();
    if (sum != null) {
      sum.update(length.array());
    }
    if (value == PADDING_MASK && !padding) {
      padding = true;
    } else if (value > 0 || value == 0 && padding) {
      left = value;
      meaningless = padding;
      room = padding ? value : 0;
      padding = false;
    } else {
      lost = true; // no record of these versions: nothing is held back any more
    }
  }
}
