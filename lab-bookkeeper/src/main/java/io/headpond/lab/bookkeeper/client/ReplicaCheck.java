// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.Payload;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;

/**
 * Asks each bookie that a ledger's metadata names for each entry that it should have, and compares:
 * a client alone is content with the first of them that answers. The ledgers must be closed.
 */
final class ReplicaCheck {
  /** Ledger, entry, last confirmed, length, and the digest of CRC32C before an entry's content. */
  private static final int HEADER_BYTES = 4 * Long.BYTES + Integer.BYTES;

  private static final int UNDER_WAY_MAX = 256;
  private static final int ANSWER_SECONDS = 60;

  private final BookKeeper client;
  private final Payload payload;
  private final ContentTally tally = new ContentTally();

  ReplicaCheck(BookKeeper client, Payload payload) {
    this.client = client;
    this.payload = payload;
  }

  /** A copy of an entry on one bookie. */
  private record Copy(long ledgerId, long entry, BookieId bookie) {}

  ContentReport check(List<WrittenLedger> ledgers) throws InterruptedException {
    for (WrittenLedger ledger : ledgers) {
      check(ledger);
    }
    return tally.report();
  }

  private void check(WrittenLedger ledger) throws InterruptedException {
    long[] ids = ledger.ids();
    if (ids.length == 0) {
      return;
    }
    LedgerMetadata metadata;
    try {
      metadata = client.getLedgerMetadata(ledger.ledgerId()).get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      tally.acknowledged(ids.length);
      tally.lost(ids.length, "ledger " + ledger.ledgerId() + " has no metadata: " + e);
      return;
    }
    Semaphore underWay = new Semaphore(UNDER_WAY_MAX);
    for (int entry = 0; entry < ids.length; entry++) {
      List<BookieId> ensemble = metadata.getEnsembleAt(entry);
      for (int i = 0; i < metadata.getWriteQuorumSize(); i++) {
        underWay.acquire();
        tally.acknowledged(1);
        // As BookKeeper's RoundRobinDistributionSchedule.
        BookieId bookie = ensemble.get((entry + i) % metadata.getEnsembleSize());
        read(new Copy(ledger.ledgerId(), entry, bookie), ids[entry], underWay);
      }
    }
    underWay.acquire(UNDER_WAY_MAX);
  }

  private void read(Copy copy, long id, Semaphore underWay) {
    BookieClient bookies = client.getClientCtx().getBookieClient();
    bookies.readEntry(
        copy.bookie(),
        copy.ledgerId(),
        copy.entry(),
        (rc, ledger, entry, bytes, context) -> {
          compare(copy, id, rc, bytes);
          underWay.release();
        },
        null,
        BookieProtocol.FLAG_NONE);
  }

  private void compare(Copy copy, long id, int rc, ByteBuf bytes) {
    if (rc != BKException.Code.OK) {
      tally.lost(1, copy + ": " + BKException.getMessage(rc));
      return;
    }
    byte[] content = new byte[Math.max(0, bytes.readableBytes() - HEADER_BYTES)];
    if (content.length > 0) {
      bytes.getBytes(bytes.readerIndex() + HEADER_BYTES, content);
    }
    if (payload.verify(payload.key(id), content) == id) {
      tally.verified();
    } else {
      tally.corrupt(copy.toString());
    }
  }
}
