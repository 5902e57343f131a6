// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import java.util.Arrays;

/** The acknowledged records of one ledger by their entries. Any thread. */
final class WrittenLedger {

  /** 64 Mi entries, half a GiB of memory: far beyond what a ledger of a run here holds. */
  private static final long ENTRIES_MAX = 1L << 26;

  private final long ledgerId;
  private long[] ids = new long[1024];
  private int length;

  WrittenLedger(long ledgerId) {
    this.ledgerId = ledgerId;
  }

  long ledgerId() {
    return ledgerId;
  }

  synchronized void acknowledged(long entry, long id) {
    if (entry != length || entry >= ENTRIES_MAX) {
      // BookKeeper acknowledges the entries of a ledger in their order.
      throw new IllegalStateException(
          "ledger " + ledgerId + ": entry " + entry + " was acknowledged after " + length);
    }
    if (length == ids.length) {
      ids = Arrays.copyOf(ids, length * 2);
    }
    ids[length++] = id;
  }

  /** The acknowledged records by entry. A copy. */
  synchronized long[] ids() {
    return Arrays.copyOf(ids, length);
  }
}
