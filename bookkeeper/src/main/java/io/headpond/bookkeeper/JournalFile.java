// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.event.StoreRefusedException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Function;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * One {@code *.txn} file: written if it wasn't there when it was opened, or is an old one that
 * begins a new life; else read.
 *
 * <p>BookKeeper closes the {@link FileChannel} and never this object, so nothing is held here.
 */
final class JournalFile implements BookieFileChannel {
  private final File file;
  private final JournalDirectory directory;
  private final ServerConfiguration configuration;
  private final Function<StoreRefusedException, IOException> refusal;
  private FileChannel channel;

  /**
   * Opens nothing yet.
   *
   * @param directory writes it; null: it is read
   * @param refusal ends the start
   */
  JournalFile(
      File file,
      JournalDirectory directory,
      ServerConfiguration configuration,
      Function<StoreRefusedException, IOException> refusal) {
    this.file = file.getAbsoluteFile();
    this.directory = directory;
    this.configuration = configuration;
    this.refusal = refusal;
  }

  @Override
  public synchronized FileChannel getFileChannel() throws IOException {
    try {
      if (channel == null) {
        channel =
            directory == null
                ? JournalReadChannel.open(file.toPath())
                : directory.writing(file.toPath(), configuration);
      }
      return channel;
    } catch (StoreRefusedException e) {
      throw refusal.apply(e);
    }
  }

  @Override
  public boolean fileExists(File asked) {
    return asked.exists();
  }

  /**
   * BookKeeper uses it to drop pages from the page cache. A mapped journal has none to drop, and a
   * descriptor of no file says so: {@code null} would end the journal's thread.
   */
  @Override
  public synchronized FileDescriptor getFD() {
    return channel instanceof JournalFileChannel written
        ? written.descriptor()
        : new FileDescriptor();
  }

  @Override
  public synchronized void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
