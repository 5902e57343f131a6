// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import org.apache.bookkeeper.bookie.storage.ldb.EntryLocationIndex;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage;
import org.apache.bookkeeper.bookie.storage.ldb.LedgerMetadataIndex;
import org.apache.bookkeeper.bookie.storage.ldb.SingleDirectoryDbLedgerStorage;
import org.apache.bookkeeper.bookie.storage.ldb.WriteCache;

/**
 * The two write caches of BookKeeper's storage of one directory, the lock under which it flushes
 * them, and its two indexes: fields that it keeps to itself, the same in 4.16 to 4.18.
 */
final class WriteCaches {
  private final SingleDirectoryDbLedgerStorage storage;
  private final VarHandle filled = field("writeCache", WriteCache.class);
  private final VarHandle beingFlushed = field("writeCacheBeingFlushed", WriteCache.class);
  private final ReentrantLock lock;
  private final StampedLock rotation;
  private final AtomicBoolean flushTriggered;
  private final LedgerMetadataIndex ledgers;

  /** RocksDB's databases of locations and of ledgers. */
  private final List<KeyValueStorage> databases;

  WriteCaches(final SingleDirectoryDbLedgerStorage storage) {
    this.storage = storage;
    lock = (ReentrantLock) field("flushMutex", ReentrantLock.class).get(storage);
    rotation = (StampedLock) field("writeCacheRotationLock", StampedLock.class).get(storage);
    flushTriggered =
        (AtomicBoolean) field("hasFlushBeenTriggered", AtomicBoolean.class).get(storage);
    ledgers = (LedgerMetadataIndex) field("ledgerIndex", LedgerMetadataIndex.class).get(storage);
    final EntryLocationIndex locations =
        (EntryLocationIndex) field("entryLocationIndex", EntryLocationIndex.class).get(storage);
    databases = List.of(database(locations, "locationsDb"), database(ledgers, "ledgersDb"));
  }

  private static KeyValueStorage database(final Object index, final String name) {
    return (KeyValueStorage) field(index.getClass(), name, KeyValueStorage.class).get(index);
  }

  private static VarHandle field(final String name, final Class<?> type) {
    return field(SingleDirectoryDbLedgerStorage.class, name, type);
  }

  private static VarHandle field(final Class<?> owner, final String name, final Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (final ReflectiveOperationException e) {
      throw BookieCodes.BOOKKEEPER_UNKNOWN.refusal(name, e);
    }
  }

  /** Held by BookKeeper from the swap of the caches until the flush is over. */
  ReentrantLock lock() {
    return lock;
  }

  /**
   * Keeps adds that find the cache full from having it flushed: each of them would try a thousand
   * times a second. To be called after the swap of a flush.
   */
  void flushNoMore() {
    flushTriggered.set(true);
  }

  /** The cache that takes new entries. */
  WriteCache filled() {
    return (WriteCache) filled.getVolatile(storage);
  }

  /** The cache that was flushed last: empty, unless that is going on or failed. */
  WriteCache beingFlushed() {
    return (WriteCache) beingFlushed.getVolatile(storage);
  }

  /**
   * Undoes the swap of a flush: its cache takes entries again, and is the one that the next flush
   * writes. The caller holds {@link #lock}.
   */
  void swapBack() {
    assert lock.isHeldByCurrentThread();
    final long stamp = rotation.writeLock();
    try {
      final WriteCache left = beingFlushed();
      beingFlushed.setVolatile(storage, filled());
      filled.setVolatile(storage, left);
    } finally {
      rotation.unlockWrite(stamp);
    }
  }

  /** RocksDB's databases of the two indexes. */
  List<KeyValueStorage> databases() {
    return databases;
  }

  /** Writes what was noted of ledgers and isn't written yet. */
  void flushLedgers() throws IOException {
    ledgers.flush();
  }
}
