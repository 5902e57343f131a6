// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieFacts;
import io.headpond.bookkeeper.ledger.TieredDbLedgerStorage.Tiered;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.stats.Gauge;
import org.apache.bookkeeper.stats.StatsLogger;
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
    long logs = -1;
    try {
      capacity = one.directories().capacityBytes();
      final List<EntryLogPlaces.Log> found = one.places().fastLogs();
      used = found.stream().mapToLong(EntryLogPlaces.Log::bytes).sum();
      logs = found.size();
    } catch (final IOException e) {
      LOG.debug("{}: can't be looked at", one.places().fast(), e); // the bookie says so itself
    }
    return new BookieFacts.EntryLogs(
        one.places().home().getParent().toString(),
        one.places().fastDirectory().toString(),
        one.device().durability(),
        one.device().fileSystemType(),
        capacity,
        capacity < 0 || threshold < 0 ? -1 : (long) (capacity * threshold),
        used,
        logs,
        one.migrator().movedLogs(),
        one.migrator().movedBytes(),
        one.directories().overflows(),
        !one.migrator().blocked().isEmpty(),
        one.home().facts(),
        one.logger().failure() != null);
  }

  /** Registers its gauges with BookKeeper's own metrics. */
  static void gauges(final Tiered one, final StatsLogger stats) {
    gauge(stats, "headpond_ledger_fast_used_bytes", () -> usedBytes(one));
    gauge(stats, "headpond_ledger_moved_logs", one.migrator()::movedLogs);
    gauge(stats, "headpond_ledger_moved_bytes", one.migrator()::movedBytes);
    gauge(stats, "headpond_ledger_move_failures", one.migrator()::failures);
    gauge(stats, "headpond_ledger_overflow_logs", one.directories()::overflows);
    gauge(
        stats,
        "headpond_ledger_migration_blocked",
        () -> one.migrator().blocked().isEmpty() ? 0 : 1);
    gauge(stats, "headpond_ledger_home_free_bytes", one.home()::freeBytes);
    gauge(stats, "headpond_ledger_home_ballast_bytes", one.home()::ballastBytes);
    gauge(stats, "headpond_ledger_home_spent", () -> one.home().spent() ? 1 : 0);
    gauge(stats, "headpond_ledger_writes_failed", () -> one.logger().failure() == null ? 0 : 1);
  }

  private static long usedBytes(final Tiered one) {
    try {
      return one.directories().usedBytes();
    } catch (final IOException e) {
      return -1;
    }
  }

  private static void gauge(final StatsLogger stats, final String name, final LongSupplier value) {
    stats.registerGauge(
        name,
        new Gauge<Number>() {
          @Override
          public Number getDefaultValue() {
            return 0;
          }

          @Override
          public Number getSample() {
            return value.getAsLong();
          }
        });
  }
}
