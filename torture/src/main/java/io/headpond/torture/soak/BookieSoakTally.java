// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.ContentReport;
import java.util.List;

/** The deeds and findings of a bookie's soak so far. One thread. */
final class BookieSoakTally extends SoakTally<BookieSoakEvent, ContentReport> {
  /** The memory is for heap, direct buffers, code and RocksDB. */
  private static final Footprint LIMIT = new Footprint(3L << 29, 500, 1500);

  /** A log is open once for reading, and once while it is moved or scanned. */
  private static final int PER_LOG = 2;

  private Footprint brokerMost = new Footprint(0, 0, 0);
  long acknowledged;
  long deleted;
  long logsAtHome;
  long logsOnFast;

  BookieSoakTally() {
    super(BookieSoakEvent.class, new ContentReport(0, 0, 0, 0, 0, List.of()));
  }

  /**
   * Takes the bookie's present footprint.
   *
   * @param logs of its ledger directory
   */
  void holds(Footprint now, long logs) {
    holds(now, LIMIT.plusFiles(PER_LOG * logs), "with " + logs + " entry logs the bookie");
  }

  /** Takes the present footprint of the broker, which is unmodified: it has no limit. */
  void brokerHolds(Footprint now) {
    brokerMost = brokerMost.max(now);
  }

  Footprint brokerMost() {
    return brokerMost;
  }
}
