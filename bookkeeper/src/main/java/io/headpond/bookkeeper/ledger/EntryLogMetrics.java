// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieFacts;
import io.headpond.bookkeeper.ledger.TieredDbLedgerStorage.Tiered;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of a ledger directory with its fast directory. Any thread. */
final class EntryLogMetrics {
  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  private EntryLogMetrics() {}

  /**
   * The facts of one directory.
   *
   * @param threshold the used share that migration steers to; negative: nothing moves
   */
  static BookieFacts.EntryLogs facts(final Tiered one, final double threshold) {
    long capacity = -1;
    long used = -1;
    try {
      capacity = one.directories().capacityBytes();
      used = one.directories().usedBytes();
    } catch (final IOException e) {
      LOG.debug("{}: can't be looked at", one.places().fast(), e); // the bookie says so itself
    }
    return new BookieFacts.EntryLogs(
        one.places().home().getParent().toString(),
        one.device().durability(),
        capacity,
        capacity < 0 || threshold < 0 ? -1 : (long) (capacity * threshold),
        used,
        one.migrator().movedBytes(),
        one.migrator().failures(),
        one.directories().overflows(),
        !one.migrator().blocked().isEmpty(),
        one.home().ballastBytes(),
        one.home().spent(),
        one.logger().failure() != null);
  }
}
