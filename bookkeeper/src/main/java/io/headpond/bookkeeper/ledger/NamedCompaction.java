// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.bookkeeper.bookie.storage.CompactionEntryLog;
import org.apache.bookkeeper.bookie.storage.EntryLogScanner;

/**
 * A transactional compaction whose log gets its name from the places: BookKeeper (4.16 to 4.18)
 * forces no name before the index leads to it.
 *
 * <p>Of one that a crash left between its log's bytes and its log's name BookKeeper would also give
 * the log a name in decimal digits, which is another log's in hexadecimal ones: the log itself
 * stays without a name, and a later log of the other identifier finds its name taken.
 *
 * @param log BookKeeper's own
 */
record NamedCompaction(CompactionEntryLog log, EntryLogPlaces places)
    implements CompactionEntryLog {
  @Override
  public void makeAvailable() throws IOException {
    places.complete(log.getDstLogId(), log.getSrcLogId());
  }

  @Override
  public long addEntry(final long ledgerId, final ByteBuf entry) throws IOException {
    return log.addEntry(ledgerId, entry);
  }

  @Override
  public void scan(final EntryLogScanner scanner) throws IOException {
    log.scan(scanner);
  }

  @Override
  public void flush() throws IOException {
    log.flush();
  }

  @Override
  public void abort() {
    log.abort();
  }

  @Override
  public void markCompacted() throws IOException {
    log.markCompacted();
  }

  @Override
  public void finalizeAndCleanup() {
    log.finalizeAndCleanup();
  }

  @Override
  public long getDstLogId() {
    return log.getDstLogId();
  }

  @Override
  public long getSrcLogId() {
    return log.getSrcLogId();
  }
}
