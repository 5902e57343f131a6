// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.apache.bookkeeper.bookie.BookieFileChannel;

/**
 * One {@code *.txn} file: read if it was there when it was opened, else written.
 *
 * <p>BookKeeper closes the {@link FileChannel} and never this object, so nothing is held here.
 */
final class JournalFile implements BookieFileChannel {
  private final File file;
  private final JournalDirectory directory;
  private final boolean existed;
  private FileChannel channel;

  JournalFile(File file, JournalDirectory directory) {
    this.file = file;
    this.directory = directory;
    existed = file.exists();
  }

  @Override
  public synchronized FileChannel getFileChannel() throws IOException {
    if (channel == null) {
      channel = existed ? directory.reading(file.toPath()) : directory.writing(file.toPath());
    }
    return channel;
  }

  @Override
  public boolean fileExists(File asked) {
    return asked.exists();
  }

  /** Used by BookKeeper only for dropping pages from the page cache, where this one has no page. */
  @Override
  public FileDescriptor getFD() {
    return new FileDescriptor();
  }

  @Override
  public synchronized void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
