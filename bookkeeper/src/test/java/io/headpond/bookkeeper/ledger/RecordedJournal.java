// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;

/**
 * A bookie's journal as its ledger storage knows it: what was added, in this order, and up to where
 * completed checkpoints have made it dispensable. Any thread.
 */
final class RecordedJournal implements CheckpointSource {
  /** Instead of an entry's number: the ledger's master key. */
  private static final long MASTER_KEY = -1;

  /** Likewise: the ledger was fenced. */
  private static final long FENCE = -2;

  /** What was acknowledged: an entry, a ledger's master key, or its fence. */
  private record Added(long ledger, long entry) {}

  private final List<Added> added = new ArrayList<>();
  private final Set<Long> deleted = new TreeSet<>();
  private int mark;

  /** BookKeeper's mark stays where it is until a replay is over. */
  private boolean replaying;

  /** A place in the journal. */
  private record Position(int records) implements Checkpoint {
    @Override
    public int compareTo(final Checkpoint other) {
      return other instanceof Position position
          ? Integer.compare(records, position.records)
          : -other.compareTo(this);
    }
  }

  @Override
  public synchronized Checkpoint newCheckpoint() {
    return new Position(replaying ? mark : added.size());
  }

  @Override
  public synchronized void checkpointComplete(final Checkpoint checkpoint, final boolean compact) {
    mark = Math.max(mark, ((Position) checkpoint).records());
  }

  /** What a restart wouldn't replay. */
  synchronized int mark() {
    return mark;
  }

  /** How much was acknowledged. */
  synchronized int size() {
    return added.size();
  }

  /** A bookie does so with a ledger's first entry: to the storage first, then to the journal. */
  void create(final DbLedgerStorage storage, final long ledger) throws Exception {
    storage.setMasterKey(ledger, new byte[] {1});
    record(ledger, MASTER_KEY);
  }

  /** A bookie does so for a client that recovers a ledger. */
  void fence(final DbLedgerStorage storage, final long ledger) throws Exception {
    if (storage.setFenced(ledger)) {
      record(ledger, FENCE);
    }
  }

  /** Adds one entry, as a bookie does. */
  void add(final DbLedgerStorage storage, final long ledger, final long entry) throws Exception {
    storage.addEntry(LedgerFixture.content(ledger, entry));
    record(ledger, entry);
  }

  private synchronized void record(final long ledger, final long entry) {
    added.add(new Added(ledger, entry));
  }

  /** Deletes a ledger; nobody asks for its entries any more. */
  void delete(final DbLedgerStorage storage, final long ledger) throws Exception {
    synchronized (this) {
      deleted.add(ledger);
    }
    storage.deleteLedger(ledger);
  }

  /** As a bookie's {@code SyncThread}. */
  void checkpoint(final DbLedgerStorage storage) throws Exception {
    final Checkpoint checkpoint = newCheckpoint();
    storage.checkpoint(checkpoint);
    checkpointComplete(checkpoint, true);
  }

  /** Adds again what no checkpoint covers, as a bookie's start does. */
  void replay(final DbLedgerStorage storage) throws Exception {
    final List<Added> records;
    synchronized (this) {
      replaying = true;
      records = List.copyOf(added.subList(mark, added.size()));
    }
    for (final Added record : records) { // flushes ask for checkpoints meanwhile
      if (record.entry == MASTER_KEY) {
        storage.setMasterKey(record.ledger, new byte[] {1});
      } else if (!isDeleted(record.ledger)) {
        storage.readMasterKey(record.ledger);
        if (record.entry == FENCE) {
          storage.setFenced(record.ledger);
          continue;
        }
        storage.addEntry(LedgerFixture.content(record.ledger, record.entry));
      }
    }
    synchronized (this) {
      replaying = false;
    }
  }

  private synchronized boolean isDeleted(final long ledger) {
    return deleted.contains(ledger);
  }

  /** Everything that was acknowledged is there, and is what was added. */
  synchronized void verify(final DbLedgerStorage storage) throws Exception {
    for (final Added record : added) {
      if (!deleted.contains(record.ledger)) {
        if (record.entry == MASTER_KEY) {
          assertThat(storage.ledgerExists(record.ledger)).as("ledger %d", record.ledger).isTrue();
        } else if (record.entry == FENCE) {
          assertThat(storage.isFenced(record.ledger)).as("fence of %d", record.ledger).isTrue();
        } else {
          LedgerFixture.verify(storage, record.ledger, record.entry);
        }
      }
    }
  }
}
