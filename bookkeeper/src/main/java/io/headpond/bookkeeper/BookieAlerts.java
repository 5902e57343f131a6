// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.Alert;
import io.headpond.observe.Alert.Level;
import io.headpond.observe.Setting;
import io.headpond.pmem.Durability;
import java.util.ArrayList;
import java.util.List;

/** The alerts of a bookie's journals and fast directories. */
final class BookieAlerts {
  /** BookKeeper itself turns read-only at 95 % of a disk by default. */
  private static final double FREE_SHARE_MIN = 0.05;

  private BookieAlerts() {}

  /** All that there are now, the worst first. */
  static List<Alert> of(final BookieFacts facts, final BookieFacts minuteAgo) {
    final List<Alert> alerts = new ArrayList<>();
    facts.journals().forEach(journal -> journal(journal, minuteAgo, alerts));
    facts.entryLogs().forEach(logs -> entryLogs(logs, alerts));
    configured(facts.configuration(), alerts);
    alerts.sort((a, b) -> a.level().compareTo(b.level()));
    return List.copyOf(alerts);
  }

  private static void journal(
      final BookieFacts.Journal journal, final BookieFacts minuteAgo, final List<Alert> alerts) {
    final String name = "Journal " + journal.path();
    if (journal.failures() > 0) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              name + ": its device failed or was full; BookKeeper ends the bookie then",
              "The bookie's log names the file and the cause."));
    }
    if (journal.freeBytes() >= 0 && journal.freeBytes() < FREE_SHARE_MIN * journal.sizeBytes()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              name
                  + ": less than 5 % of its file system is free; a journal that can't grow ends"
                  + " the bookie",
              "Make room there, or lower journalMaxSizeMB and journalMaxBackups."));
    }
    durability(name, journal.durability(), journal.fileSystem(), "acknowledged entries", alerts);
    final long misses =
        minuteAgo.journals().stream()
            .filter(before -> before.path().equals(journal.path()))
            .mapToLong(before -> journal.runAheadMisses() - before.runAheadMisses())
            .sum();
    if (misses > 0) {
      alerts.add(
          new Alert(
              Level.ADVICE,
              name + ": appends waited for the file to grow, lately",
              "On persistent memory and in memory journalReuseFiles=true takes old files, which are there"
                  + " already. On a disk it would double what is written; use a faster one."));
    }
  }

  private static void durability(
      final String name,
      final Durability durability,
      final String fileSystem,
      final String holds,
      final List<Alert> alerts) {
    Alert.notDurable(
            name, durability, durability.meaning() + " (" + fileSystem + "). It holds " + holds)
        .ifPresent(alerts::add);
  }

  /** One alert for each setting that risks data, and one for all that only cost speed. */
  private static void configured(final List<Setting> settings, final List<Alert> alerts) {
    final List<String> slow = new ArrayList<>();
    for (final Setting setting : settings) {
      if (setting.doubt().isEmpty()) {
        continue;
      }
      final Setting.Doubt doubt = setting.doubt().get();
      final String valued = setting.key() + "=" + setting.value();
      if (doubt.warning()) {
        alerts.add(new Alert(doubt.level(), valued + ": " + doubt.reason(), doubt.remedy()));
      } else {
        slow.add(valued);
      }
    }
    if (!slow.isEmpty()) {
      alerts.add(
          new Alert(
              Level.ADVICE,
              "Settings that cost speed: " + String.join(", ", slow),
              "The configuration in effect says why, and what they should be."));
    }
  }

  private static void entryLogs(final BookieFacts.EntryLogs logs, final List<Alert> alerts) {
    final String name = "Fast directory " + logs.fast();
    if (logs.writesFailed()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              name + ": a write or a force failed; nothing is stored until the bookie restarts",
              "The bookie's log names the file and the cause. Repair or replace the device first."));
    }
    if (logs.usedBytes() < 0) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              name + " can't be looked at",
              "Mount its device; the bookie's log names the cause."));
    }
    if (logs.home().full()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              "Ledger directory "
                  + logs.path()
                  + (logs.home().spent()
                      ? " is full, and its ballast is spent: the bookie becomes read-only"
                      : " is full; its ballast is being given back to the index"),
              "Make room there; a bookie that is read-only becomes writable again by itself."));
    }
    if (logs.migrationBlocked()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              name + " is above its threshold, and nothing can move to " + logs.path(),
              "Make room in the ledger directory."));
    }
    durability(name, logs.durability(), logs.fileSystem(), "its entry logs", alerts);
    if (logs.overflowLogs() > 0) {
      alerts.add(
          new Alert(
              Level.ADVICE,
              name + " had no room: entry logs went straight to the ledger directory",
              "Lower headpond.ledger.migrate.threshold, or give it more."));
    }
  }
}
