// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.store.layout.DirectoryForce;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage.Batch;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage.CloseableIterator;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageFactory.DbConfigType;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageRocksDB;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry logs of a ledger directory that were given up because their fast device is lost.
 *
 * <p>BookKeeper's index still has locations in them. A bookie that goes by it claims to have their
 * entries: its data integrity check would miss nothing, and bring nothing back. So the next start
 * takes these locations out of the index before BookKeeper opens it. One thread.
 */
final class LostLogs {
  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  /** An entry's ledger and number; a location is a log's number and an offset in it. */
  private static final int LOCATION_BYTES = Long.BYTES;

  private static final int BATCH_MAX = 10_000;

  private LostLogs() {}

  /**
   * Takes locations in logs that aren't there out of the index, if {@code recover} has left word;
   * may be stopped at any instant, and is then done again.
   *
   * @param ledgerDirectory holds the word
   * @param index BookKeeper's folder of the directory's index
   */
  static void leaveIndex(
      final Path ledgerDirectory, final Path index, final ServerConfiguration conf)
      throws IOException {
    final Path word = PlaceCheck.forgotten(ledgerDirectory);
    if (!Files.exists(word)) {
      return;
    }
    if (Files.isDirectory(index.resolve(PlaceCheck.LOCATIONS))) {
      final long removed = remove(index, logs(ledgerDirectory), conf);
      LOG.info(
          "{}: entry logs of it were given up; {} entries of the index that lay in them were taken"
              + " out of it",
          ledgerDirectory,
          removed);
    }
    Files.delete(word);
    DirectoryForce.forceNow(ledgerDirectory);
  }

  /** The numbers of the logs that are there: every name leads to a file, a start has seen to it. */
  private static Set<Long> logs(final Path ledgerDirectory) throws IOException {
    final Set<Long> logs = new HashSet<>();
    for (final Path name : PlaceCheck.logFiles(ledgerDirectory.resolve(PlaceCheck.CURRENT))) {
      PlaceCheck.logNumber(name.getFileName().toString()).ifPresent(logs::add);
    }
    return logs;
  }

  private static long remove(
      final Path folder, final Set<Long> logs, final ServerConfiguration conf) throws IOException {
    long removed = 0;
    try (KeyValueStorage index =
            new KeyValueStorageRocksDB(
                folder.toString(), PlaceCheck.LOCATIONS, DbConfigType.EntryLocation, conf);
        CloseableIterator<Map.Entry<byte[], byte[]>> entries = index.iterator();
        Batch batch = index.newBatch()) {
      int batched = 0;
      while (entries.hasNext()) {
        final Map.Entry<byte[], byte[]> entry = entries.next();
        if (logs.contains(log(entry.getValue()))) {
          continue;
        }
        batch.remove(entry.getKey());
        removed++;
        if (++batched == BATCH_MAX) {
          batch.flush();
          batch.clear();
          batched = 0;
        }
      }
      batch.flush();
      index.sync();
    }
    return removed;
  }

  private static long log(final byte[] location) throws IOException {
    if (location.length != LOCATION_BYTES) {
      throw new IOException("the index holds a location of " + location.length + " B");
    }
    return ByteBuffer.wrap(location).getLong() >> Integer.SIZE;
  }
}
