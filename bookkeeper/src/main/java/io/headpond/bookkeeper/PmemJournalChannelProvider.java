// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.File;
import java.io.IOException;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * BookKeeper's journal on a fast device: {@code
 * journalChannelProvider=io.headpond.bookkeeper.PmemJournalChannelProvider}.
 *
 * <p>The files are BookKeeper's own {@code *.txn} files, which the default provider reads and goes
 * on with, and the other way round.
 *
 * <p>A bookie makes one provider for each journal directory. Calls come from its replay at start
 * and from its journal thread; {@link #close()} comes from the thread that shuts the bookie down,
 * <em>before</em> the journal has stopped writing.
 */
public final class PmemJournalChannelProvider implements FileChannelProvider {
  private JournalDirectory directory;
  private boolean closed;

  /** As BookKeeper calls it. */
  public PmemJournalChannelProvider() {}

  @Override
  public synchronized BookieFileChannel open(File file, ServerConfiguration configuration)
      throws IOException {
    if (directory == null) {
      directory = new JournalDirectory(file.toPath().toAbsolutePath().getParent(), configuration);
      if (closed) {
        directory.close();
      }
    }
    return new JournalFile(file, directory);
  }

  @Override
  public void close(BookieFileChannel channel) throws IOException {
    channel.close();
  }

  /** Stops growing files ahead; those that are open go on being written to. */
  @Override
  public synchronized void close() {
    closed = true;
    if (directory != null) {
      directory.close();
    }
  }
}
