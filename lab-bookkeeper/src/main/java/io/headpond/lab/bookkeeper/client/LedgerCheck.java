// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;

/** Reads ledgers back and compares every entry with what was sent and acknowledged. */
final class LedgerCheck {

  private static final int BATCH_BYTES = 1 << 20;

  /** Over the whole check, so that one of very much that is lost ends. */
  private static final int RETRIES_MAX = 25;

  private static final long RETRY_MILLIS = 200;
  private static final int ANSWER_SECONDS = 60;

  private final BookKeeper client;
  private final Payload payload;
  private final ContentTally tally = new ContentTally();
  private int retries;

  LedgerCheck(BookKeeper client, Payload payload) {
    this.client = client;
    this.payload = payload;
  }

  ContentReport check(List<WrittenLedger> ledgers, int entryBytes) throws InterruptedException {
    int batch = Math.max(1, BATCH_BYTES / entryBytes);
    for (WrittenLedger ledger : ledgers) {
      check(ledger, batch);
    }
    return tally.report();
  }

  private void check(WrittenLedger ledger, int batch) throws InterruptedException {
    long[] ids = ledger.ids();
    tally.acknowledged(ids.length);
    ReadHandle handle;
    try {
      handle = answered(() -> open(ledger.ledgerId()));
    } catch (ExecutionException e) {
      missing(ids.length, ledger, "can't be opened: " + e.getCause());
      return;
    }
    long last = handle.getLastAddConfirmed();
    if (last + 1 < ids.length) {
      missing(ids.length - last - 1, ledger, "ends after entry " + last);
    }
    for (long from = 0; from <= last; from += batch) {
      read(handle, ledger, ids, from, Math.min(last, from + batch - 1));
    }
    handle.closeAsync();
  }

  /** Recovers the ledger if it was never closed: fences it and finds its last entry. */
  private CompletableFuture<ReadHandle> open(long ledgerId) {
    return client
        .newOpenLedgerOp()
        .withLedgerId(ledgerId)
        .withRecovery(true)
        .withDigestType(Load.DIGEST)
        .withPassword(Load.PASSWORD)
        .execute();
  }

  private void read(ReadHandle handle, WrittenLedger ledger, long[] ids, long first, long last)
      throws InterruptedException {
    try (LedgerEntries entries = answered(() -> handle.readAsync(first, last))) {
      for (LedgerEntry entry : entries) {
        compare(ledger, ids, entry.getEntryId(), entry.getEntryBytes());
      }
    } catch (ExecutionException e) {
      if (first < last) {
        // One of them is missing: which?
        long middle = first + (last - first) / 2;
        read(handle, ledger, ids, first, middle);
        read(handle, ledger, ids, middle + 1, last);
      } else if (first < ids.length) {
        missing(1, ledger, "entry " + first + ": " + e.getCause());
      }
    }
  }

  private void compare(WrittenLedger ledger, long[] ids, long entry, byte[] content) {
    long id = id(content);
    if (id == -1 || entry < ids.length && id != ids[(int) entry]) {
      tally.corrupt(text(ledger) + " entry " + entry);
    } else if (entry < ids.length) {
      tally.verified();
    } else {
      tally.unacknowledged();
    }
  }

  /** The id of an entry's record; -1 if any byte is another than was sent. */
  private long id(byte[] content) {
    if (content.length < Long.BYTES) {
      return -1;
    }
    long claimed = ByteBuffer.wrap(content).getLong();
    return claimed < 0 ? -1 : payload.verify(payload.key(claimed), content);
  }

  /** Asks again where a bookie that has just started, or is busy, may answer the next time. */
  private <T> T answered(Supplier<CompletableFuture<T>> question)
      throws ExecutionException, InterruptedException {
    while (true) {
      try {
        return question.get().get(ANSWER_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (retries == RETRIES_MAX || missing(e.getCause())) {
          throw e;
        }
      } catch (TimeoutException e) {
        if (retries == RETRIES_MAX) {
          throw new ExecutionException(e);
        }
      }
      retries++;
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private static boolean missing(Throwable cause) {
    return cause instanceof BKException e
        && (e.getCode() == BKException.Code.NoSuchEntryException
            || e.getCode() == BKException.Code.NoSuchLedgerExistsException
            || e.getCode() == BKException.Code.NoSuchLedgerExistsOnMetadataServerException);
  }

  private void missing(long entries, WrittenLedger ledger, String what) {
    if (entries > 0) {
      tally.lost(
          entries, text(ledger) + " " + what + "; " + entries + " acknowledged entries are lost");
    }
  }

  private static String text(WrittenLedger ledger) {
    return "ledger " + ledger.ledgerId();
  }
}
