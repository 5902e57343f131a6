// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;

/**
 * Follows the records of a journal as its bytes are written one after the other, and knows whether
 * the last one is whole.
 *
 * <p>The format is that of BookKeeper's {@code Journal.scanJournal}, in all versions from 4.16 to
 * 4.18: after the header, records of a length (4 bytes, big-endian) and so many bytes; or {@code
 * -0x100}, a length, and so many zeros. A record has no checksum: what follows a length is taken
 * for an entry as soon as the file is long enough, and a file that is reused always is.
 *
 * <p>One thread.
 */
final class RecordTrail {
  /** Bytes of a length: what a scan must not find before the record is whole. */
  static final int LENGTH_BYTES = Integer.BYTES;

  private static final int PADDING_MASK = -0x100;

  private final ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES);
  private long left;
  private boolean padding;
  private boolean lost;

  /** True if every record that was begun is whole. */
  boolean whole() {
    return lost || left == 0 && length.position() == 0 && !padding;
  }

  /** The next bytes are written. The buffer's own position stays. */
  void follow(ByteBuffer bytes) {
    int at = bytes.position();
    int limit = bytes.limit();
    while (at < limit && !lost) {
      if (left > 0) {
        int part = (int) Math.min(left, limit - at);
        left -= part;
        at += part;
      } else {
        length.put(bytes.get(at++));
        if (!length.hasRemaining()) {
          lengthIsKnown();
        }
      }
    }
  }

  private void lengthIsKnown() {
    int value = length.getInt(0);
    length.clear();
    if (value == PADDING_MASK && !padding) {
      padding = true;
    } else if (value > 0 || value == 0 && padding) {
      left = value;
      padding = false;
    } else {
      lost = true; // no record of these versions: nothing is held back any more
    }
  }
}
