// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What the kernel says of a thread. A thread that was woken is runnable there at once; the JVM
 * takes it for waiting until it has run.
 */
final class ThreadStat implements AutoCloseable {
  private static final int BYTES_MAX = 128;

  /** Null where there is no such file. */
  private final RandomAccessFile stat;

  private ThreadStat(final RandomAccessFile stat) {
    this.stat = stat;
  }

  /** The calling thread's. */
  static ThreadStat ofCaller() {
    try {
      return new ThreadStat(new RandomAccessFile("/proc/thread-self/stat", "r"));
    } catch (final IOException notLinux) {
      return new ThreadStat(null);
    }
  }

  /** Does it sleep until somebody wakes it? Also if it has ended, or nothing is known. */
  boolean sleeps() {
    if (stat == null) {
      return true;
    }
    final byte[] bytes = new byte[BYTES_MAX];
    try {
      stat.seek(0);
      final int length = stat.read(bytes);
      final String text = new String(bytes, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
      final int name = text.lastIndexOf(") ");
      return name < 0 || "SXZ".indexOf(text.charAt(name + 2)) >= 0;
    } catch (final IOException ended) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      if (stat != null) {
        stat.close();
      }
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
