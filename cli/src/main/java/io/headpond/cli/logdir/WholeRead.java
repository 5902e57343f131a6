// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a file from its first byte to its last. Bytes that nobody looks at are read too: a device
 * may have lost them. Numbers are big-endian, as BookKeeper writes them. One thread.
 */
final class WholeRead implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 18;

  private final DataInputStream in;
  private final byte[] unread = new byte[BUFFER_BYTES];
  private final long bytes;
  private long position;
  private long contentEnd;

  WholeRead(Path file) throws IOException {
    bytes = Files.size(file);
    in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
  }

  /** The file's length when it was opened. */
  long bytes() {
    return bytes;
  }

  /** The next byte's place. */
  long position() {
    return position;
  }

  /** The number of bytes left before {@code end}. */
  long before(long end) {
    return end - position;
  }

  int nextInt() throws IOException {
    int value = in.readInt();
    position += Integer.BYTES;
    if (value != 0) {
      contentEnd = position - Integer.numberOfTrailingZeros(value) / Byte.SIZE;
    }
    return value;
  }

  long nextLong() throws IOException {
    long high = nextInt();
    return high << Integer.SIZE | Integer.toUnsignedLong(nextInt());
  }

  /** End of what was read so far without the zeros at its end. */
  long contentEnd() {
    return contentEnd;
  }

  /** Reads over bytes that don't matter. */
  void pass(long count) throws IOException {
    for (long left = count; left > 0; ) {
      int part = (int) Math.min(left, BUFFER_BYTES);
      in.readFully(unread, 0, part);
      int content = part;
      while (content > 0 && unread[content - 1] == 0) {
        content--;
      }
      contentEnd = content > 0 ? position + content : contentEnd;
      left -= part;
      position += part;
    }
  }

  /**
   * Reads over bytes that are all the same; over none if they aren't.
   *
   * @param count no more than are left
   */
  boolean passIfAll(int value, int count) throws IOException {
    in.mark(count);
    boolean same = true;
    for (int read = 0; same && read < count; read++) {
      same = in.read() == value;
    }
    in.reset();
    if (same) {
      pass(count);
    }
    return same;
  }

  /** Reads on to {@code end}; is everything zero? */
  boolean zeroUntil(long end) throws IOException {
    long from = position;
    pass(before(end));
    return contentEnd <= from;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
