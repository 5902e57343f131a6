// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.bookie.Journal;

/** Entries of one ledger: their bytes follow from their number and the seed. */
final class LoggedEntries {
  private static final int HEADER_BYTES = 24;
  private static final int WAIT_SECONDS = 60;

  private final long seed;
  private final int maxBytes;
  private long next;

  LoggedEntries(long seed, int maxBytes) {
    this.seed = seed;
    this.maxBytes = maxBytes;
  }

  private byte[] bytes(long id) {
    Random random = new Random(seed * 31 + id);
    byte[] entry = new byte[HEADER_BYTES + random.nextInt(maxBytes)];
    random.nextBytes(entry);
    ByteBuffer.wrap(entry).putLong(1).putLong(id).putLong(seed);
    return entry;
  }

  /** How many were logged and acknowledged. */
  long count() {
    return next;
  }

  /** Logs so many more, and waits for their acknowledgement. */
  void log(Journal journal, int entries) throws InterruptedException {
    CountDownLatch acknowledged = new CountDownLatch(entries);
    AtomicInteger failed = new AtomicInteger();
    for (int i = 0; i < entries; i++, next++) {
      journal.logAddEntry(
          1,
          next,
          Unpooled.wrappedBuffer(bytes(next)),
          false,
          (code, ledger, id, bookie, context) -> {
            failed.addAndGet(code == 0 ? 0 : 1);
            acknowledged.countDown();
          },
          null);
    }
    assertThat(acknowledged.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(failed).hasValue(0);
  }

  /** What the journal's provider replays from there on; every entry is compared, byte for byte. */
  List<Long> replay(Journal journal, long fromJournal) throws IOException {
    List<Long> found = new ArrayList<>();
    for (long id :
        Journal.listJournalIds(journal.getJournalDirectory(), each -> each >= fromJournal)) {
      journal.scanJournal(
          id,
          0,
          (version, offset, entry) -> {
            byte[] content = new byte[entry.remaining()];
            entry.get(content);
            long number = ByteBuffer.wrap(content).getLong(8);
            assertThat(content).as("entry " + number).isEqualTo(bytes(number));
            found.add(number);
          },
          false);
    }
    return found;
  }
}
