// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.CheckpointSource.Checkpoint;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage;
import org.apache.bookkeeper.bookie.storage.ldb.SingleDirectoryDbLedgerStorage;
import org.apache.bookkeeper.bookie.storage.ldb.WriteCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps checkpoints of one ledger directory from completing while a failed flush has left entries
 * in memory only.
 *
 * <p>BookKeeper swaps its two write caches, writes one of them and clears it. If that fails, the
 * entries stay in a cache that it looks at only when more entries come: the next flush finds the
 * other cache empty, counts as a success, and the journals that still hold the entries become
 * dispensable. So do a flush that waited for the failed one, and the one of an orderly stop.
 *
 * <p>A cache that still has what its flush began with was left behind. One that has other entries
 * was cleared: an add that found it as the caches were swapped, and is repeated in the other one,
 * may come after that. What it left must go before the caches are swapped again: it may point to
 * bytes of the entries to come. If a cache was left behind only for want of room, checkpoints
 * complete again when a later flush has cleared it. After any other failure nothing is known about
 * the files and the index any more, and none completes until the bookie is restarted and its
 * journal replayed. Any thread.
 */
final class FlushGuard {
  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  /** The time between two flushes while the first one found no room. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SingleDirectoryDbLedgerStorage storage;
  private final WriteCaches caches;
  private final TieredEntryLogger logger;
  private final EntryLogPlaces places;
  private final LedgerHome home;

  /** Caches that a flush has left behind, and none has cleared since. Under the caches' lock. */
  private final Set<WriteCache> leftBehind = new HashSet<>();

  /** The cache whose flush has begun last, and its first entry. Under the caches' lock. */
  private WriteCache begun;

  private long firstLedger;
  private long firstEntry;

  /** Databases that haven't written to their log since they were opened. Under this monitor. */
  private final Queue<KeyValueStorage> unallocated;

  private volatile boolean closing;

  FlushGuard(
      final SingleDirectoryDbLedgerStorage storage,
      final TieredEntryLogger logger,
      final EntryLogPlaces places,
      final LedgerHome home) {
    this.home = home;
    this.storage = storage;
    this.logger = logger;
    this.places = places;
    caches = new WriteCaches(storage);
    unallocated = new ArrayDeque<>(caches.databases());
    logger.onRefusal(caches::flushNoMore);
    logger.onHandover(this::handedOver);
  }

  /**
   * Has each of the two databases write to its log once, with room made for it before. RocksDB
   * allocates 70 MB for a new log with the first write to it, and of a full ext4 it gets all that
   * there is. So the database that writes first would leave the other one nothing, in the middle of
   * a flush.
   */
  private synchronized void allocateLogs() {
    try {
      while (!unallocated.isEmpty() && home.awaitNotes()) {
        unallocated.remove().sync();
      }
    } catch (final IOException | RuntimeException | Error e) {
      logger.failed(e);
    }
  }

  /** The logger gets an entry, in a flush from the cache that is being flushed. */
  private void handedOver(final long ledger, final long entry) {
    if (caches.lock().isHeldByCurrentThread() && caches.beingFlushed() != begun) {
      begun = caches.beingFlushed();
      firstLedger = ledger;
      firstEntry = entry;
    }
  }

  /** BookKeeper's storage of the directory. */
  SingleDirectoryDbLedgerStorage storage() {
    return storage;
  }

  /** A flush by BookKeeper's storage. */
  @FunctionalInterface
  private interface Flush {
    void run() throws IOException;
  }

  /**
   * Flushes the directory for a checkpoint that somebody else completes.
   *
   * @throws IOException if entries that were added before, or fences, are in memory only
   */
  void checkpoint(final Checkpoint checkpoint) throws IOException {
    guarded(() -> storage.checkpoint(checkpoint));
  }

  /**
   * Flushes the directory.
   *
   * @throws IOException if entries that were added before, or fences, are in memory only
   */
  void flush() throws IOException {
    guarded(storage::flush);
  }

  private void guarded(final Flush flush) throws IOException {
    caches.lock().lock();
    try {
      look(null);
      logger.refuseAfterFailure();
      takeUpAgain();
      flush.run();
      refuseLeftBehind();
      flushLedgers();
    } catch (final IOException | RuntimeException | Error e) {
      look(e);
      throw e;
    } finally {
      caches.lock().unlock();
    }
  }

  /**
   * Lets a flush write what the last one left, where no entry came since: BookKeeper flushes only
   * what is in the cache that takes new ones.
   */
  private void takeUpAgain() {
    if (leftBehind.contains(caches.beingFlushed()) && caches.filled().isEmpty()) {
      caches.swapBack();
    }
  }

  /** Examines what the last flush left behind; the caller holds the caches' lock. */
  private void look(final Throwable cause) {
    assert caches.lock().isHeldByCurrentThread();
    final WriteCache flushed = caches.beingFlushed();
    if (flushed != begun) {
      begun = null; // its flush failed before it began: what is known of the other one gets old
    } else if (!flushed.isEmpty() && !flushed.hasEntry(firstLedger, firstEntry)) {
      flushed.clear();
    }
    leftBehind.removeIf(WriteCache::isEmpty);
    if (!flushed.isEmpty() && leftBehind.add(flushed) && !logger.lackedRoom()) {
      logger.failed(cause == null ? new IOException("a flush of the index failed") : cause);
    }
  }

  private void refuseLeftBehind() throws IOException {
    look(null);
    logger.refuseAfterFailure();
    if (!leftBehind.isEmpty()) {
      throw new IOException(BookieCodes.ENTRIES_LEFT.text(places));
    }
  }

  /**
   * Writes what was noted of ledgers: fences for one, which were acknowledged. BookKeeper's flush
   * leaves that out where no entries wait, and its index of ledgers forgets what it couldn't write.
   */
  private void flushLedgers() throws IOException {
    if (home.refused()) {
      throw home.refusal();
    }
    try {
      caches.flushLedgers();
    } catch (final IOException | RuntimeException | Error e) {
      throw logger.failed(e);
    }
  }

  /** BookKeeper's storage gets one that asks here first. */
  void setCheckpointSource(final CheckpointSource source) {
    storage.setCheckpointSource(over(source));
  }

  private CheckpointSource over(final CheckpointSource source) {
    return new CheckpointSource() {
      @Override
      public Checkpoint newCheckpoint() {
        caches.lock().lock(); // a flush begins: what the one before left is seen before the swap
        try {
          look(null);
        } finally {
          caches.lock().unlock();
        }
        allocateLogs();
        home.awaitFlush(caches.filled().count());
        if (logger.lackedRoom()) {
          LockSupport.parkNanos(PAUSE_NANOS); // adds that find the cache full ask all the time
        }
        return source.newCheckpoint();
      }

      @Override
      public void checkpointComplete(final Checkpoint checkpoint, final boolean compact)
          throws IOException {
        if (mayComplete()) {
          source.checkpointComplete(checkpoint, compact);
        }
      }
    };
  }

  /** Throws if not; only a stop goes on without the checkpoint. */
  private boolean mayComplete() throws IOException {
    caches.lock().lock();
    try {
      refuseLeftBehind();
      flushLedgers();
      return !closing || caches.filled().isEmpty();
    } catch (final IOException e) {
      if (closing) {
        LOG.info("{}: stops without a checkpoint: {}", places, e.getMessage());
        return false;
      }
      throw e;
    } finally {
      caches.lock().unlock();
    }
  }

  /**
   * The storage is about to be shut down, which flushes it once more. What can't be written any
   * more is dropped from memory, or that flush would fail and leave index and logs open.
   */
  void closing() {
    closing = true;
    caches.lock().lock();
    try {
      look(null);
      if (!leftBehind.isEmpty()) {
        logger.failed(new IOException("the bookie stops before there was room"));
      }
      if (logger.failure() != null) {
        caches.filled().clear();
      }
    } finally {
      caches.lock().unlock();
    }
  }
}
