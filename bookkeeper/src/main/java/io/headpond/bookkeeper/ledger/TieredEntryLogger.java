// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.store.migrate.Pace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.bookie.AbstractLogCompactor;
import org.apache.bookkeeper.bookie.BufferedReadChannel;
import org.apache.bookkeeper.bookie.DefaultEntryLogger;
import org.apache.bookkeeper.bookie.EntryLogMetadata;
import org.apache.bookkeeper.bookie.LedgerDirsManager.NoWritableLedgerDirException;
import org.apache.bookkeeper.bookie.storage.CompactionEntryLog;
import org.apache.bookkeeper.bookie.storage.EntryLogScanner;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.stats.StatsLogger;

/**
 * BookKeeper's own entry logger over two directories.
 *
 * <p>What it adds: a log on the fast device has a durable name in the ledger directory when {@link
 * #flush} returns, that is, before BookKeeper indexes what lies in it; a log that moved is read
 * from its new place, and its old descriptor is closed, so that the device gets the space back; a
 * removed log's file goes after its name; what a default compaction keeps goes straight to a log in
 * the ledger directory ({@link CompactedLogs}).
 *
 * <p>After a write or a force that failed, every later one fails too, until the bookie is
 * restarted: BookKeeper's write buffer may then be in the file in part, and a later flush that
 * succeeds would count entries as stored that aren't. The journal still has them. Any thread.
 */
final class TieredEntryLogger extends DefaultEntryLogger {
  private final EntryLogDirectories directories;
  private final EntryLogPlaces places;
  private final LedgerHome home;
  private final Pace pace;
  private final ReadGate reads = new ReadGate();

  /** Logs that moved while this logger may have had their old files open. */
  private final Set<Long> moved = ConcurrentHashMap.newKeySet();

  /** Those that this thread has opened since. */
  private final ThreadLocal<Set<Long>> reopened = ThreadLocal.withInitial(HashSet::new);

  /** True while this thread scans: entries that it adds then belong to a compaction. */
  private final ThreadLocal<Boolean> scanning = ThreadLocal.withInitial(() -> false);

  /** True once this thread has scanned: its flushes then belong to a compaction. */
  private final ThreadLocal<Boolean> scanner = ThreadLocal.withInitial(() -> false);

  /** Logs that receive the entries of a compaction. */
  private final CompactedLogs compacted;

  private final AtomicLong unlooked = new AtomicLong();
  private volatile Runnable onNewLog = () -> {};
  private volatile Handover onHandover = (ledger, entry) -> {};
  private volatile Runnable onRefusal = () -> {};
  private volatile long newestLog = -1;
  private volatile boolean newestOnFast;
  private final AtomicReference<IOException> failure = new AtomicReference<>();

  /** Held while a flush forces: it takes over what another one is about to force. */
  private final Object flushes = new Object();

  /** True if no directory had room for a log since the last flush. */
  private volatile boolean lackedRoom;

  /** True if no directory had room for the last log that was asked for. */
  private volatile boolean unplaced;

  private int adds;

  /**
   * Opens the logger; like BookKeeper's own it writes to no log that is there already.
   *
   * @param conf without preallocation of logs: one would be on the device that was chosen a log ago
   * @param pace is told how long writes to logs take
   */
  TieredEntryLogger(
      final ServerConfiguration conf,
      final EntryLogDirectories directories,
      final EntryLogPlaces places,
      final LedgerHome home,
      final Pace pace,
      final StatsLogger stats,
      final ByteBufAllocator allocator)
      throws IOException {
    super(conf, directories, null, stats, allocator);
    this.directories = directories;
    this.places = places;
    this.home = home;
    this.pace = pace;
    compacted = new CompactedLogs(conf, directories, places, this::unusedLog, allocator);
  }

  /** An entry that is to be written. */
  @FunctionalInterface
  interface Handover {
    void of(long ledger, long entry);
  }

  /** Is told of each entry before it is written or refused, but for those of a compaction. */
  void onHandover(final Handover action) {
    onHandover = action;
  }

  /** Is run when a log has begun, so another one is sealed. */
  void onNewLog(final Runnable action) {
    onNewLog = action;
  }

  /** Is run when an entry isn't written because of a failure, now or before. */
  void onRefusal(final Runnable action) {
    onRefusal = action;
  }

  @Override
  public long addEntry(final long ledger, final ByteBuf entry) throws IOException {
    final boolean compacting = scanning.get();
    if (!compacting) {
      onHandover.of(ledger, entry.getLong(entry.readerIndex() + Long.BYTES));
    }
    refuseAfterFailure();
    if (home.refused()) {
      if (!compacting) {
        lackedRoom = true;
      }
      throw home.refusal();
    }
    return compacting ? addCompacted(ledger, entry) : addNew(ledger, entry);
  }

  private long addNew(final long ledger, final ByteBuf entry) throws IOException {
    final int bytes = entry.readableBytes();
    final boolean timed = pace.copying() || adds++ % Pace.SAMPLE == 0; // a lost count is as good
    try {
      requireRoom();
      final long from = timed ? System.nanoTime() : 0;
      final long location = super.addEntry(ledger, entry);
      if (timed) {
        pace.appended(System.nanoTime() - from);
      }
      if (log(location) != newestLog) {
        begun(log(location));
      }
      unlooked.addAndGet(bytes);
      return location;
    } catch (final NoWritableLedgerDirException e) {
      lackedRoom = true;
      unplaced = true;
      throw e; // no entry was written
    } catch (final IOException | RuntimeException | Error e) {
      throw failed(e);
    }
  }

  /** Looks at the room before an entry is written, now and then. */
  private void requireRoom() throws NoWritableLedgerDirException {
    if (unplaced) {
      directories.requireRoom(); // or BookKeeper would add a map to its log each time
      unplaced = false;
    }
    if (unlooked.get() >= EntryLogDirectories.LOOK_BYTES) {
      unlooked.set(0);
      directories.rollIfShort(newestOnFast);
    }
  }

  /** Adds an entry of a compaction. A lack of room leaves nothing behind in a write cache. */
  private long addCompacted(final long ledger, final ByteBuf entry) throws IOException {
    try {
      return compacted.add(ledger, entry);
    } catch (final NoWritableLedgerDirException e) {
      throw e;
    } catch (final IOException | RuntimeException | Error e) {
      throw failed(e);
    }
  }

  /**
   * Takes a log's identifier from BookKeeper's allocator, which counts in memory and in files.
   * BookKeeper gives access to it only by creating the log of a transactional compaction, so this
   * creates one and deletes it.
   */
  private long unusedLog() throws IOException {
    final CompactionEntryLog counted = newCompactionLog(0);
    final long id = counted.getDstLogId();
    counted.abort();
    return id;
  }

  private static long log(final long location) {
    return location >> 32;
  }

  /** Nobody has a location in the log yet: whoever gets the first one comes by here before. */
  private void begun(final long log) throws IOException {
    newestOnFast = places.link(log);
    newestLog = log;
    onNewLog.run();
  }

  /**
   * Forces all that was added before. What a compaction added is forced only by the compaction's
   * own flush: nobody else has its locations, and a checkpoint doesn't wait for a slow disk. One
   * flush at a time: BookKeeper's own would return at once while another one still forces the logs
   * that were sealed.
   */
  @Override
  public void flush() throws IOException {
    if (scanner.get()) {
      flushCompacted(); // without the lock: no other flush waits for it
    }
    synchronized (flushes) {
      refuseAfterFailure();
      unlooked.set(EntryLogDirectories.LOOK_BYTES); // others may fill a device until the next one
      try {
        super.flush();
        places.forceNames();
        if (!scanner.get()) { // a compaction's flush says nothing of the others
          lackedRoom = false;
        }
      } catch (final IOException | RuntimeException | Error e) {
        throw failed(e);
      }
    }
  }

  private void flushCompacted() throws IOException {
    refuseAfterFailure();
    try {
      compacted.flush();
    } catch (final IOException | RuntimeException | Error e) {
      throw failed(e);
    }
  }

  /** Seals a compaction's open log first; after a failure that log stays as it is. */
  @Override
  public void close() {
    try (compacted) {
      if (failure() == null) {
        compacted.seal();
      }
    } catch (final IOException | RuntimeException | Error e) {
      failed(e);
    } finally {
      super.close();
    }
  }

  /** Throws if an earlier write or force failed. */
  void refuseAfterFailure() throws IOException {
    final IOException first = failure.get();
    if (first != null) {
      onRefusal.run();
      throw new IOException(first.getMessage(), first);
    }
  }

  /** Stops all writes; returns the exception to throw. Only the first failure is reported. */
  IOException failed(final Throwable cause) {
    final IOException now =
        new IOException(BookieCodes.ENTRY_LOGS_FAILED.text(places, cause), cause);
    if (failure.compareAndSet(null, now)) {
      BookieCodes.ENTRY_LOGS_FAILED.log(places, cause, cause);
    }
    onRefusal.run();
    return now;
  }

  /** Failure after which nothing is written any more; null if none. */
  IOException failure() {
    return failure.get();
  }

  /** True if flushes that failed since the last complete one failed for lack of room only. */
  boolean lackedRoom() {
    return lackedRoom && failure() == null;
  }

  @Override
  public ByteBuf readEntry(final long ledger, final long entry, final long location)
      throws IOException {
    final long stamp = reads.enter(log(location));
    try {
      return super.readEntry(ledger, entry, location);
    } finally {
      reads.exit(log(location), stamp);
    }
  }

  @Override
  public ByteBuf readEntry(final long location) throws IOException {
    final long stamp = reads.enter(log(location));
    try {
      return super.readEntry(location);
    } finally {
      reads.exit(log(location), stamp);
    }
  }

  @Override
  public void scanEntryLog(final long log, final EntryLogScanner target) throws IOException {
    reads.beginScan(log);
    scanning.set(true);
    scanner.set(true);
    try {
      super.scanEntryLog(log, target);
    } finally {
      scanning.set(false);
      reads.endScan(log);
    }
  }

  @Override
  public EntryLogMetadata getEntryLogMetadata(
      final long log, final AbstractLogCompactor.Throttler throttler) throws IOException {
    reads.beginScan(log);
    try {
      return super.getEntryLogMetadata(log, throttler);
    } finally {
      reads.endScan(log);
    }
  }

  /** A thread's buffer over a descriptor that {@link #letGo} has closed is of no use any more. */
  @Override
  public BufferedReadChannel getFromChannels(final long log) {
    return moved.contains(log) && !reopened.get().contains(log) ? null : super.getFromChannels(log);
  }

  /** A buffer over a compaction's open log isn't kept: it may have cached the log's size. */
  @Override
  public BufferedReadChannel putInReadChannels(final long log, final BufferedReadChannel channel) {
    if (compacted.isOpen(log)) {
      return null;
    }
    if (moved.contains(log)) {
      final Set<Long> mine = reopened.get();
      mine.add(log);
      if (mine.size() > 2 * moved.size()) {
        mine.retainAll(moved); // the rest was removed by now
      }
    }
    return super.putInReadChannels(log, channel);
  }

  /**
   * Closes the descriptor of a log whose name leads elsewhere by now; the next read opens the new
   * file.
   *
   * @return false if it is being read; to be tried again
   */
  boolean letGo(final long log) throws InterruptedException {
    return reads.closed(
        log,
        () -> {
          moved.add(log);
          removeFromChannelsAndClose(log);
        });
  }

  /** Without the open log of a compaction: garbage collection reads a log's contents only once. */
  @Override
  public Set<Long> getFlushedLogIds() {
    final Set<Long> sealed = super.getFlushedLogIds();
    sealed.removeIf(compacted::isOpen);
    return sealed;
  }

  @Override
  public boolean removeEntryLog(final long log) {
    final boolean removed = places.remove(log, () -> super.removeEntryLog(log));
    if (removed) {
      moved.remove(log);
    }
    return removed;
  }

  /** Of those that a crash left, too, the name is right, and durable before it is used. */
  @Override
  public Collection<CompactionEntryLog> incompleteCompactionLogs() {
    final List<CompactionEntryLog> recovered = new ArrayList<>();
    for (final CompactionEntryLog log : super.incompleteCompactionLogs()) {
      recovered.add(new NamedCompaction(log, places));
    }
    return recovered;
  }

  /**
   * A log at home for the output of a compaction. BookKeeper looks only whether another unfinished
   * compaction has its identifier: of one that a log has, the entries would be indexed in that log,
   * and then deleted with their source. A recovery without Headpond may have left such a name; and
   * after 2^31 logs the count starts again at 0.
   */
  @Override
  public CompactionEntryLog newCompactionLog(final long logToCompact) throws IOException {
    while (true) {
      final CompactionEntryLog made =
          directories.atHome(() -> super.newCompactionLog(logToCompact));
      if (!logExists(made.getDstLogId())) {
        return new NamedCompaction(made, places);
      }
      made.abort();
    }
  }
}
