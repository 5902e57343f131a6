// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.event.RefusedStart;
import io.headpond.store.event.StoreRefusedException;
import java.io.File;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * BookKeeper's journal on a fast device: {@code
 * journalChannelProvider=io.headpond.bookkeeper.PmemJournalChannelProvider}.
 *
 * <p>The files are BookKeeper's own {@code *.txn} files: the default provider replays what this one
 * wrote, and the other way round. Checksums on a disk are in bytes that BookKeeper skips.
 *
 * <p><b>Threads.</b> A bookie makes one provider for each journal directory. Calls come from its
 * replay at start and from its journal thread; {@link #close()} comes from the thread that shuts
 * the bookie down, <em>before</em> the journal has stopped writing.
 *
 * <p><b>Errors.</b> A directory or a setting that can't be used ends the process at the first
 * journal file that is written ({@link RefusedStart}). Later it is an {@link IOException} with a
 * code (HP07), the cause and the remedy, which ends the bookie as any error of a journal does.
 */
public final class PmemJournalChannelProvider implements FileChannelProvider {
  private final Consumer<StoreRefusedException> refused;
  private JournalDirectory directory;
  private File reused;
  private boolean closed;

  /** As BookKeeper calls it. */
  public PmemJournalChannelProvider() {
    this(RefusedStart::end);
  }

  /** For tests, whose process goes on. */
  PmemJournalChannelProvider(Consumer<StoreRefusedException> refused) {
    this.refused = refused;
  }

  @Override
  public BookieFileChannel open(File file, ServerConfiguration configuration) throws IOException {
    try {
      return journalFile(file, configuration);
    } catch (StoreRefusedException e) {
      throw refusal(e);
    } catch (IOException e) {
      beforeFailing();
      throw e;
    }
  }

  /** Ends a start; a bookie that runs is ended by BookKeeper. */
  IOException refusal(StoreRefusedException e) {
    JournalDirectory known = known();
    if (known == null || !known.begun()) {
      refused.accept(e);
    }
    return new IOException(e.getMessage(), e);
  }

  private synchronized JournalDirectory known() {
    return directory;
  }

  private void beforeFailing() {
    JournalDirectory known = known();
    if (known == null) {
      BookieStart.awaitEnd(); // it was the first file to be written
    } else {
      known.beforeFailing();
    }
  }

  /**
   * A file that is read needs nothing of its directory: what would be refused there ends the bookie
   * when the first journal is written, and not in the middle of its replay, where BookKeeper (4.16
   * to 4.18) gives up and lets the process stay.
   */
  private synchronized BookieFileChannel journalFile(File file, ServerConfiguration configuration)
      throws IOException {
    boolean renamed = file.equals(reused);
    reused = null;
    if (!renamed && file.exists()) {
      return new JournalFile(file, null, configuration, this::refusal);
    }
    if (directory == null) {
      directory = JournalDirectory.of(file.getAbsoluteFile().getParentFile(), configuration);
      if (closed) {
        directory.close();
      }
    }
    // BookKeeper makes the file itself, and its error names neither file nor remedy.
    directory.refuseUnwritable();
    return new JournalFile(file, directory, configuration, this::refusal);
  }

  @Override
  public void close(BookieFileChannel channel) throws IOException {
    channel.close();
  }

  /**
   * True when the oldest journal isn't needed any more and is ready for its next life, see {@link
   * SpareJournal}. BookKeeper asks at every roll, and takes the oldest.
   */
  @Override
  public synchronized boolean supportReuseFile() {
    return directory != null && directory.spareReady();
  }

  /** A reused file got its new name, and is opened next. */
  @Override
  public synchronized void notifyRename(File source, File target) {
    reused = target;
    if (directory != null) {
      directory.spareTaken(source.toPath(), target.getAbsoluteFile().toPath());
    }
  }

  /** Stops growing and zeroing files ahead; those that are open go on being written to. */
  @Override
  public synchronized void close() {
    closed = true;
    if (directory != null) {
      directory.close();
    }
  }
}
