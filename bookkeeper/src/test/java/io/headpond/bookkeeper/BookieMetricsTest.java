// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.BookieFacts.EntryLogs;
import io.headpond.bookkeeper.BookieFacts.Journal;
import io.headpond.observe.Beans;
import io.headpond.observe.Exporter;
import io.headpond.observe.Times;
import io.headpond.pmem.Durability;
import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A bookie's metrics, as the Prometheus JMX exporter shows them. */
class BookieMetricsTest {
  private static final long MS = 1_000_000;

  private static Times times(final int count) {
    final LatencyHistogram histogram = new LatencyHistogram();
    for (int i = 0; i < count; i++) {
      histogram.record(2 * MS);
    }
    return Times.of(histogram);
  }

  private static Journal journal(final String path, final int appends) {
    return new Journal(
        path,
        Durability.DURABLE,
        1_000_000,
        400_000,
        appends,
        appends * 4096L,
        times(appends),
        times(1),
        3,
        7,
        5,
        0);
  }

  private static EntryLogs entryLogs(final String path) {
    return new EntryLogs(
        path,
        Durability.VOLATILE,
        100L << 20,
        50L << 20,
        60L << 20,
        90L << 20,
        2,
        1,
        true,
        1 << 20,
        true,
        true);
  }

  @Test
  void everyDirectoryHasItsSeries() throws Exception {
    try (Beans<BookieFacts> beans = new Beans<>(BookieMetrics.ALL)) {
      beans.update(
          new BookieFacts(
              List.of(journal("/j0", 4), journal("/j1", 6)),
              List.of(entryLogs("/data1")),
              new StoreFacts.Background(0, 0)));
      assertThat(Exporter.series())
          .containsEntry("headpond_journal_durability{journal=\"/j0\",durability=\"durable\"}", 1.0)
          .containsEntry("headpond_journal_writes_total{journal=\"/j0\"}", 4.0)
          .containsEntry("headpond_journal_writes_total{journal=\"/j1\"}", 6.0)
          .containsEntry("headpond_journal_time_ms_avg{journal=\"/j1\"}", 2.0)
          .containsEntry(
              "headpond_ledger_durability{ledger_dir=\"/data1\",durability=\"volatile\"}", 1.0)
          .containsEntry("headpond_ledger_migration_blocked{ledger_dir=\"/data1\"}", 1.0)
          .containsEntry("headpond_ledger_move_failures_total{ledger_dir=\"/data1\"}", 2.0)
          .containsEntry("headpond_ledger_home_ballast_bytes{ledger_dir=\"/data1\"}", 1048576.0)
          .containsEntry("headpond_ledger_home_spent{ledger_dir=\"/data1\"}", 1.0)
          .containsEntry("headpond_background_failures_total", 0.0);
    }
  }
}
