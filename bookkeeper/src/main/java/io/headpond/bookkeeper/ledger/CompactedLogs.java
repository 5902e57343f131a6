// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.bookkeeper.bookie.LedgerDirsManager.LedgerDirsListener;
import org.apache.bookkeeper.bookie.LedgerDirsManager.NoWritableLedgerDirException;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * The entry logs that take the output of BookKeeper's default compaction. They lie in the ledger
 * directory: their entries are old. One is open at a time, over as many compactions as fit in it.
 *
 * <p>An open log has no map yet, like BookKeeper's current one. After a kill its entries are found
 * by their locations, and by a scan. After a failure only {@link #close} may be called. Any thread.
 */
final class CompactedLogs implements Closeable {
  private static final long NONE = -1;

  private final ServerConfiguration conf;
  private final EntryLogDirectories directories;
  private final EntryLogPlaces places;
  private final EntryLogDirectories.Creation<Long> ids;
  private final ByteBufAllocator allocator;

  /** Has BookKeeper reported the ledger directory as full since the log was created? */
  private final AtomicBoolean full = new AtomicBoolean();

  private long unlooked = EntryLogDirectories.LOOK_BYTES;
  private CompactedLog current;
  private volatile long open = NONE;

  /**
   * Creates no log yet; the first entry does.
   *
   * @param ids gives each log an identifier that no other log has or gets
   */
  CompactedLogs(
      final ServerConfiguration conf,
      final EntryLogDirectories directories,
      final EntryLogPlaces places,
      final EntryLogDirectories.Creation<Long> ids,
      final ByteBufAllocator allocator) {
    this.conf = conf;
    this.directories = directories;
    this.places = places;
    this.ids = ids;
    this.allocator = allocator;
    directories
        .homeDirectories()
        .addLedgerDirsListener(
            new LedgerDirsListener() {
              @Override
              public void diskFull(final File disk) {
                full.set(true);
              }
            });
  }

  /**
   * Adds an entry.
   *
   * @return its location, at which it can be read when {@link #flush} has returned
   * @throws NoWritableLedgerDirException if there is no room, for it or for another log; nothing
   *     was written
   */
  synchronized long add(final long ledger, final ByteBuf entry) throws IOException {
    if (unlooked >= EntryLogDirectories.LOOK_BYTES) {
      directories.requireRoomAtHome();
      unlooked = 0;
    }
    if (current != null && (full.get() || !fits(entry))) {
      seal();
    }
    if (current == null) {
      final long id = ids.create();
      full.set(false);
      open = id; // before the file exists: an open log must never pass for a sealed one
      current = new CompactedLog(id, places.name(id), conf, allocator);
      places.link(id);
    }
    unlooked += entry.readableBytes();
    return current.add(ledger, entry);
  }

  private boolean fits(final ByteBuf entry) {
    return current.bytes() + Integer.BYTES + entry.readableBytes() <= conf.getEntryLogSizeLimit();
  }

  /** Is the log still written to? */
  boolean isOpen(final long log) {
    return log == open;
  }

  /** Makes all that was added durable, but for the names, which the places force. */
  synchronized void flush() throws IOException {
    unlooked = EntryLogDirectories.LOOK_BYTES; // it may be long until the next compaction
    if (current != null) {
      current.force();
    }
  }

  /** Completes the open log; the next entry goes to another one. */
  synchronized void seal() throws IOException {
    if (current != null) {
      current.seal();
      current = null;
      open = NONE;
    }
  }

  /** Closes the open log without completing it. */
  @Override
  public synchronized void close() throws IOException {
    if (current != null) {
      current.close();
    }
  }
}
