// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.BackgroundMetrics;
import io.headpond.observe.MetricGroup;
import io.headpond.observe.MetricGroup.Member;
import java.util.List;
import java.util.Locale;

/** The table of a bookie's metrics. Its journal and ledger directories bound their number. */
final class BookieMetrics {
  /** In the order of the reference page. */
  static final List<MetricGroup<BookieFacts, ?>> ALL =
      List.of(journals(), ledgers(), BackgroundMetrics.of(BookieFacts::background));

  private BookieMetrics() {}

  private static MetricGroup<BookieFacts, BookieFacts.Journal> journals() {
    return MetricGroup.<BookieFacts, BookieFacts.Journal>of(
            "Journal",
            List.of("journal"),
            facts -> facts.journals().stream().map(each -> new Member<>(each, each.path())))
        .text(
            "durability",
            "The journal's protection, as a tier's.",
            journal -> journal.durability().name().toLowerCase(Locale.ROOT))
        .gauge(
            "size-bytes",
            "Size of the journal's file system; -1: unknown, it can't be read.",
            BookieFacts.Journal::sizeBytes)
        .gauge(
            "free-bytes",
            "Free bytes on the journal's file system; -1: unknown, it can't be read.",
            BookieFacts.Journal::freeBytes)
        .counter(
            "writes-total",
            "Writes of BookKeeper to the journal. Each holds a group of entries.",
            BookieFacts.Journal::appends)
        .counter(
            "bytes-total",
            "Bytes of those writes, including padding to journalAlignmentSize.",
            BookieFacts.Journal::appendedBytes)
        .times(
            "time-ms", "Duration of those writes. Each is timed.", BookieFacts.Journal::appendTimes)
        .times(
            "force-time-ms",
            "Duration of the fsyncs that BookKeeper asked for. Close to 0 where a write alone is"
                + " durable.",
            BookieFacts.Journal::forceTimes)
        .counter(
            "run-ahead-misses-total",
            "Writes to the journal that waited for its file to grow.",
            BookieFacts.Journal::runAheadMisses)
        .counter("files-total", "Journal files created or reused.", BookieFacts.Journal::files)
        .counter(
            "reused-files-total",
            "Journal files that reuse an old file (journalReuseFiles).",
            BookieFacts.Journal::reusedFiles)
        .counter(
            "failures-total",
            "Failed writes, fsyncs and creations of journal files. BookKeeper stops the bookie"
                + " after one.",
            BookieFacts.Journal::failures);
  }

  private static MetricGroup<BookieFacts, BookieFacts.EntryLogs> ledgers() {
    return MetricGroup.<BookieFacts, BookieFacts.EntryLogs>of(
            "Ledger",
            List.of("ledger-dir"),
            facts -> facts.entryLogs().stream().map(each -> new Member<>(each, each.path())))
        .text(
            "durability",
            "The fast directory's protection, as a tier's.",
            logs -> logs.durability().name().toLowerCase(Locale.ROOT))
        .gauge(
            "capacity-bytes",
            "Bytes that entry logs may use in the fast directory; -1: unknown, it can't be read.",
            BookieFacts.EntryLogs::capacityBytes)
        .gauge(
            "threshold-bytes",
            "Bytes that migration aims at; -1: nothing moves.",
            BookieFacts.EntryLogs::thresholdBytes)
        .gauge(
            "used-bytes",
            "Bytes of entry logs in the fast directory; -1: unknown, it can't be read.",
            BookieFacts.EntryLogs::usedBytes)
        .counter(
            "moved-bytes-total",
            "Bytes of entry logs moved to the ledger directory.",
            BookieFacts.EntryLogs::movedBytes)
        .counter(
            "move-failures-total",
            "Moves that failed. The entry log stayed in its place.",
            BookieFacts.EntryLogs::moveFailures)
        .counter(
            "overflow-total",
            "Entry logs created in the ledger directory because the fast one had no room.",
            BookieFacts.EntryLogs::overflowLogs)
        .gauge(
            "migration-blocked",
            "1 while the fast directory is above its threshold and nothing can move, else 0.",
            logs -> logs.migrationBlocked() ? 1 : 0)
        .gauge(
            "home-ballast-bytes",
            "Bytes of the ballast in the ledger directory, to be given back to the index when others"
                + " fill the disk.",
            BookieFacts.EntryLogs::homeBallastBytes)
        .gauge(
            "home-spent",
            "1 while that ballast is down to its last quarter: the bookie becomes read-only. Else"
                + " 0.",
            logs -> logs.homeSpent() ? 1 : 0)
        .gauge(
            "writes-failed",
            "1 after a failed write or fsync: nothing is stored until a restart. Else 0.",
            logs -> logs.writesFailed() ? 1 : 0);
  }
}
