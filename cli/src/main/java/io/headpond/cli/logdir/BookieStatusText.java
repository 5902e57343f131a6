// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Prints a bookie's status for people. */
final class BookieStatusText {
  /** Of one directory; the newest are of interest, and a script takes all. */
  static final int FILES_SHOWN_MAX = 40;

  private final PrintWriter out;

  BookieStatusText(PrintWriter out) {
    this.out = out;
  }

  void print(BookieStatus.ResultJson status) {
    out.println(
        "bookie: "
            + (status.running() ? "running" : "not running")
            + (status.pid() == null ? "" : ", process " + status.pid()));
    status.journals().forEach(this::journal);
    status.ledgers().forEach(this::ledgers);
    if (!status.ok()) {
      out.println("something is wrong here; 'headpond verify --bookkeeper' says more");
    }
    out.flush();
  }

  private void journal(BookieStatus.JournalJson journal) {
    out.println(
        "journal "
            + journal.path()
            + ": "
            + (journal.problem() == null
                ? Units.count(journal.files().size(), "file")
                    + ", "
                    + Units.bytes(journal.bytes())
                    + ", written by "
                    + (journal.plugIn() ? "Headpond" : "BookKeeper")
                    + (journal.backEnd() == null ? "" : ", back end " + journal.backEnd())
                : "PROBLEM: " + journal.problem()));
    if (journal.device() != null) {
      device(journal.device());
    }
    lines(journal.files(), file -> file.name() + "  " + Units.bytes(file.bytes()));
  }

  private void device(BookieStatus.DeviceJson device) {
    String durability =
        device.durability() == null ? "" : device.durability().toUpperCase(Locale.ROOT) + ": ";
    out.println(
        "  "
            + (device.explanation() == null ? "" : durability + device.explanation() + "; ")
            + "file system "
            + device.fileSystem()
            + ": "
            + Units.bytes(device.fileSystemFreeBytes())
            + " free of "
            + Units.bytes(device.fileSystemBytes()));
  }

  private void ledgers(BookieStatus.LedgersJson ledgers) {
    if (ledgers.problem() != null) {
      out.println("ledgers " + ledgers.path() + ": PROBLEM: " + ledgers.problem());
      return;
    }
    out.println(
        "ledgers "
            + ledgers.path()
            + ": "
            + Units.count(ledgers.entryLogs().size(), "entry log")
            + ", "
            + Units.bytes(ledgers.fastBytes())
            + " on the fast device, "
            + Units.bytes(ledgers.homeBytes())
            + " at home");
    device(ledgers.device());
    ledgers.fast().forEach(this::fast);
    if (ledgers.dangling() > 0 || ledgers.unknown() > 0) {
      out.println(
          "  PROBLEM: names that lead nowhere: "
              + ledgers.dangling()
              + ", links into no fast directory of it: "
              + ledgers.unknown());
    }
    lines(ledgers.entryLogs(), BookieStatusText::entryLog);
  }

  private static String entryLog(BookieStatus.EntryLogJson log) {
    return log.name()
        + "  "
        + (log.bytes() < 0 ? "MISSING" : Units.bytes(log.bytes()))
        + "  "
        + log.place();
  }

  private void fast(BookieStatus.FastJson fast) {
    if (fast.problem() != null) {
      out.println("  fast directory " + fast.path() + ": PROBLEM: " + fast.problem());
      return;
    }
    out.println(
        "  fast directory "
            + fast.path()
            + ": "
            + Units.bytes(fast.usedBytes())
            + " used"
            + (fast.capacityBytes() == null
                ? ""
                : " of "
                    + Units.bytes(fast.capacityBytes())
                    + " ("
                    + Units.share(fast.usedBytes(), fast.capacityBytes())
                    + ", "
                    + StatusText.threshold(fast.threshold())
                    + ")")
            + ", quarantine "
            + Units.bytes(fast.quarantineBytes())
            + " in "
            + Units.count(fast.quarantineFiles(), "file"));
    device(fast.device());
  }

  private <T> void lines(List<T> all, Function<T, String> text) {
    int from = Math.max(0, all.size() - FILES_SHOWN_MAX);
    if (from > 0) {
      out.println("    " + Units.count(from, "older file") + " not shown (--json has all)");
    }
    all.subList(from, all.size()).forEach(each -> out.println("    " + text.apply(each)));
  }
}
