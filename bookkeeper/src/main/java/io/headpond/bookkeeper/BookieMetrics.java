// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.BackgroundMetrics;
import io.headpond.observe.Metric;
import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.observe.MetricGroup;
import io.headpond.observe.MetricGroup.Member;
import io.headpond.observe.Sample;
import io.headpond.observe.Times;
import io.headpond.pmem.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The table of a bookie's metrics. Their number is bounded by its journal and ledger directories.
 */
final class BookieMetrics {
  private static final String V1 = "0.1.0";
  private static final String V2 = "0.2.0";
  private static final Bean JOURNAL = new Bean("Journal", "journal");
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  static final Bean ENTRY_LOGS = new Bean("EntryLogs", "ledger_dir");

  private static final MetricGroup<BookieFacts, BookieFacts.Journal> JOURNALS =
      new MetricGroup<>(
          JOURNAL,
          List.of("journal"),
          V1,
          facts -> facts.journals().stream().map(journal -> new Member<>(journal, journal.path())));

  private static final MetricGroup<BookieFacts, BookieFacts.EntryLogs> LEDGERS =
      new MetricGroup<>(
          ENTRY_LOGS,
          List.of("ledger_dir"),
          V1,
          facts -> facts.entryLogs().stream().map(logs -> new Member<>(logs, logs.path())));

  /** In the order of the reference page. */
  static final List<Metric<BookieFacts>> ALL = all();

  private BookieMetrics() {}

  private static List<Metric<BookieFacts>> all() {
    final List<Metric<BookieFacts>> all = new ArrayList<>();
    journals(all);
    journalWrites(all);
    journalFiles(all);
    entryLogs(all);
    migration(all);
    entryLogHealth(all);
    BackgroundMetrics.addTo(all, BookieFacts::background);
    all.add(
        new Metric<>(
            Bean.PLUGIN,
            "start-time-seconds",
            "headpond_start_time_seconds",
            Kind.GAUGE,
            Unit.SECONDS,
            List.of(),
            V1,
            "Time of the bookie's first write, seconds since 1970. Counters begin at 0 at this"
                + " time.",
            facts -> List.of(Sample.of(facts.startedMs() / MILLIS))));
    return List.copyOf(all);
  }

  private static void journals(final List<Metric<BookieFacts>> all) {
    all.add(
        info(
            JOURNAL,
            "headpond_journal_info",
            List.of("journal", "back_end", "durability", "file_system"),
            "Always 1. The labels name how the journal is written and whether it survives a power"
                + " cut.",
            facts ->
                facts.journals().stream()
                    .map(
                        journal ->
                            Sample.of(
                                1,
                                journal.path(),
                                journal.backEnd(),
                                lower(journal.durability()),
                                journal.fileSystem()))
                    .toList()));
    all.add(
        JOURNALS.metric(
            "volatile",
            "headpond_journal_volatile",
            Kind.GAUGE,
            Unit.NONE,
            "1 if a power cut empties the journal, else 0.",
            journal -> journal.durability() == Durability.VOLATILE ? 1 : 0));
    all.add(
        JOURNALS.metric(
            "size-bytes",
            "headpond_journal_size_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Size of the journal's file system; -1: unknown, it can't be read.",
            BookieFacts.Journal::sizeBytes));
    all.add(
        JOURNALS.metric(
            "free-bytes",
            "headpond_journal_free_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Free bytes on the journal's file system; -1: unknown, it can't be read.",
            BookieFacts.Journal::freeBytes));
  }

  private static void journalWrites(final List<Metric<BookieFacts>> all) {
    all.add(
        JOURNALS.metric(
            "append",
            "headpond_journal_appends",
            Kind.COUNTER,
            Unit.NONE,
            "Writes of BookKeeper to the journal. Each holds a group of entries.",
            BookieFacts.Journal::appends));
    all.add(
        JOURNALS.metric(
            "bytes",
            "headpond_journal_appended_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes of those writes, including padding to journalAlignmentSize.",
            BookieFacts.Journal::appendedBytes));
    all.add(
        times(
            "time-ms",
            "headpond_journal_append_duration_seconds",
            "Duration of those writes. Each is timed.",
            BookieFacts.Journal::appendTimes));
    all.add(
        times(
            "force-time-ms",
            "headpond_journal_force_duration_seconds",
            "Duration of the forces that BookKeeper asked for. Close to 0 where a write alone is"
                + " durable.",
            BookieFacts.Journal::forceTimes));
    all.add(
        JOURNALS.metric(
            "run-ahead-misses",
            "headpond_journal_run_ahead_misses",
            Kind.COUNTER,
            Unit.NONE,
            "Appends to a journal that waited for its file to grow.",
            BookieFacts.Journal::runAheadMisses));
    all.add(
        JOURNALS.metric(
            "failures",
            "headpond_journal_failures",
            Kind.COUNTER,
            Unit.NONE,
            "Failed writes, forces and creations of journal files. BookKeeper stops the bookie"
                + " after one.",
            BookieFacts.Journal::failures));
  }

  private static void journalFiles(final List<Metric<BookieFacts>> all) {
    all.add(
        JOURNALS.metric(
            "files",
            "headpond_journal_files",
            Kind.COUNTER,
            Unit.NONE,
            "Journal files created or reused.",
            BookieFacts.Journal::files));
    all.add(
        JOURNALS.metric(
            "reused-files",
            "headpond_journal_reused_files",
            Kind.COUNTER,
            Unit.NONE,
            "Journal files that reuse an old file (journalReuseFiles).",
            BookieFacts.Journal::reusedFiles));
    all.add(
        JOURNALS.metric(
            "zeroed-bytes",
            "headpond_journal_zeroed_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes zeroed in the background for reuse: one page of each file, or the whole file on"
                + " a disk.",
            BookieFacts.Journal::zeroedBytes));
    all.add(
        JOURNALS.metric(
            "zeroed-ahead-bytes",
            "headpond_journal_zeroed_ahead_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Bytes of the old file that is ready to become the next journal; 0: none.",
            BookieFacts.Journal::zeroedAheadBytes));
  }

  private static void entryLogs(final List<Metric<BookieFacts>> all) {
    all.add(
        info(
            ENTRY_LOGS,
            "headpond_entry_logs_info",
            List.of("ledger_dir", "fast_dir", "durability", "file_system"),
            "Always 1. The labels name where new entry logs are created and whether they survive a"
                + " power cut.",
            facts ->
                facts.entryLogs().stream()
                    .map(
                        logs ->
                            Sample.of(
                                1,
                                logs.path(),
                                logs.fast(),
                                lower(logs.durability()),
                                logs.fileSystem()))
                    .toList()));
    all.add(
        LEDGERS.metric(
            "volatile",
            "headpond_entry_logs_volatile",
            Kind.GAUGE,
            Unit.NONE,
            "1 if a power cut empties the fast directory, else 0.",
            logs -> logs.durability() == Durability.VOLATILE ? 1 : 0));
    all.add(
        LEDGERS.metric(
            "capacity-bytes",
            "headpond_entry_logs_capacity_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Bytes that entry logs may use in the fast directory; -1: unknown, it can't be read.",
            BookieFacts.EntryLogs::capacityBytes));
    all.add(
        LEDGERS.metric(
            "threshold-bytes",
            "headpond_entry_logs_threshold_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Bytes that migration aims at; -1: nothing moves.",
            BookieFacts.EntryLogs::thresholdBytes));
    all.add(
        LEDGERS.metric(
            "used-bytes",
            "headpond_entry_logs_used_bytes",
            Kind.GAUGE,
            Unit.BYTES,
            "Bytes of entry logs in the fast directory; -1: unknown, it can't be read.",
            BookieFacts.EntryLogs::usedBytes));
    all.add(
        LEDGERS.metric(
            "fast",
            "headpond_entry_logs_fast",
            Kind.GAUGE,
            Unit.NONE,
            "Entry logs on the fast device; -1: unknown, it can't be read.",
            BookieFacts.EntryLogs::fastLogs));
  }

  private static void migration(final List<Metric<BookieFacts>> all) {
    all.add(
        LEDGERS.metric(
            "moved",
            "headpond_entry_logs_moved",
            Kind.COUNTER,
            Unit.NONE,
            "Entry logs moved to the ledger directory.",
            BookieFacts.EntryLogs::movedLogs));
    all.add(
        LEDGERS.metric(
            "moved-bytes",
            "headpond_entry_logs_moved_bytes",
            Kind.COUNTER,
            Unit.BYTES,
            "Bytes of those entry logs.",
            BookieFacts.EntryLogs::movedBytes));
    all.add(
        LEDGERS.metric(
            "overflow",
            "headpond_entry_logs_overflow",
            Kind.COUNTER,
            Unit.NONE,
            "Entry logs created in the ledger directory because the fast one had no room.",
            BookieFacts.EntryLogs::overflowLogs));
    all.add(
        LEDGERS.metric(
            "migration-blocked",
            "headpond_entry_logs_migration_blocked",
            Kind.GAUGE,
            Unit.NONE,
            "1 while the fast directory is above its threshold and nothing can move, else 0.",
            logs -> logs.migrationBlocked() ? 1 : 0));
  }

  private static void entryLogHealth(final List<Metric<BookieFacts>> all) {
    all.add(
        LEDGERS
            .since(V2)
            .metric(
                "home-free-bytes",
                "headpond_entry_logs_home_free_bytes",
                Kind.GAUGE,
                Unit.BYTES,
                "Bytes that the ledger directory's file system has.",
                logs -> logs.home().freeBytes()));
    all.add(
        LEDGERS
            .since(V2)
            .metric(
                "home-ballast-bytes",
                "headpond_entry_logs_home_ballast_bytes",
                Kind.GAUGE,
                Unit.BYTES,
                "Bytes of the ballast there, to be given back to the index when others fill the disk.",
                logs -> logs.home().ballastBytes()));
    all.add(
        LEDGERS
            .since(V2)
            .metric(
                "home-spent",
                "headpond_entry_logs_home_spent",
                Kind.GAUGE,
                Unit.NONE,
                "1 while that ballast is down to its last quarter: the bookie becomes read-only. Else 0.",
                logs -> logs.home().spent() ? 1 : 0));
    all.add(
        LEDGERS.metric(
            "writes-failed",
            "headpond_entry_logs_writes_failed",
            Kind.GAUGE,
            Unit.NONE,
            "1 after a failed write or force: nothing is stored until a restart. Else 0.",
            logs -> logs.writesFailed() ? 1 : 0));
  }

  private static Metric<BookieFacts> info(
      final Bean bean,
      final String name,
      final List<String> labels,
      final String description,
      final Function<BookieFacts, List<Sample>> reader) {
    return new Metric<>(bean, "info", name, Kind.GAUGE, Unit.NONE, labels, V1, description, reader);
  }

  private static Metric<BookieFacts> times(
      final String attribute,
      final String name,
      final String description,
      final Function<BookieFacts.Journal, Times> times) {
    return JOURNALS.samples(
        attribute,
        name,
        Kind.HISTOGRAM,
        Unit.SECONDS,
        description,
        journal -> {
          final Times taken = times.apply(journal.thing());
          return new Sample(List.of(journal.labels()), taken.allNanos() / NANOS, taken.counts());
        });
  }

  private static String lower(final Durability durability) {
    return durability.name().toLowerCase(Locale.ROOT);
  }
}
