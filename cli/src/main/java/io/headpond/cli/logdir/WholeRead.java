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
    position += Integer.BYTES;
    return in.readInt();
  }

  long nextLong() throws IOException {
    position += Long.BYTES;
    return in.readLong();
  }

  /** Reads over bytes that don't matter. */
  void pass(long count) throws IOException {
    for (long left = count; left > 0; ) {
      int part = (int) Math.min(left, BUFFER_BYTES);
      in.readFully(unread, 0, part);
      left -= part;
    }
    position += count;
  }

  /** Reads on to {@code end}; is everything zero? */
  boolean zeroUntil(long end) throws IOException {
    boolean zero = true;
    while (before(end) > 0) {
      int part = (int) Math.min(before(end), BUFFER_BYTES);
      in.readFully(unread, 0, part);
      for (int i = 0; i < part && zero; i++) {
        zero = unread[i] == 0;
      }
      position += part;
    }
    return zero;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
