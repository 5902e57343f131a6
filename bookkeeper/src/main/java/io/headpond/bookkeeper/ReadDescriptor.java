// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * A descriptor of a journal's file by which BookKeeper drops the file's pages from the page cache:
 * any of the file does, or one of no file. Opened when it is first asked for. Any thread.
 */
final class ReadDescriptor implements Closeable {
  private final Path file;
  private RandomAccessFile described;

  ReadDescriptor(Path file) {
    this.file = file;
  }

  synchronized FileDescriptor get() {
    try {
      if (described == null) {
        described = new RandomAccessFile(file.toFile(), "r");
      }
      return described.getFD();
    } catch (IOException nothingIsDropped) {
      return new FileDescriptor();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (described != null) {
      described.close();
    }
  }
}
