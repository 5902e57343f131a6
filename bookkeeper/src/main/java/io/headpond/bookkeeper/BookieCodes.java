// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.REFUSED;
import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.store.event.EventCode;
import java.util.List;

/** Event codes of a bookie. HP07: the journal, HP08: entry logs. */
public final class BookieCodes {
  /** The place in messages that brokers and bookies share. */
  public static final String ENTRY_LOGS = "entry logs";

  private static final String COME_BACK_NEW =
      "Let this bookie come back as a new one: decommission it, so that its ledgers are replicated"
          + " again. Look at the modules (ndctl list -DH), and replace them if it comes again.";

  static final EventCode UNSYNCED =
      new EventCode(
          "HP0701",
          REFUSED,
          "journal {directory}: journalSyncData=false acknowledges entries before they are forced,"
              + " and here a write alone isn't durable ({reason}; back end '{name}')",
          "A power cut would lose acknowledged entries.",
          "Set journalSyncData=true; or, to accept that a power cut loses acknowledged entries,"
              + " {key}=true");

  static final EventCode UNSYNCED_ACCEPTED =
      new EventCode(
          "HP0702",
          WARN,
          "journal {directory}: journalSyncData=false acknowledges entries before they are forced,"
              + " and here a write alone isn't durable ({reason}; back end '{name}'): a power cut"
              + " loses acknowledged entries, as accepted",
          "The same as HP0701, where the bookie's configuration accepts it.",
          "Set journalSyncData=true unless that is really wanted.");

  static final EventCode JOURNAL_FULL =
      new EventCode(
          "HP0704",
          REFUSED,
          "journal {file}: its device is full ({reason}). What was acknowledged is in the file",
          "The bookie stops, as it does when any journal write fails.",
          "Make room in {directory}, or lower journalMaxSizeMB or journalMaxBackups, and start the"
              + " bookie again");

  static final EventCode JOURNAL_FAILED =
      new EventCode(
          "HP0705",
          REFUSED,
          "journal {file}: its device failed ({reason}). What was acknowledged is in the file",
          "The bookie stops, as it does when any journal write fails.",
          "See dmesg; repair or replace the device before the bookie is started again");

  static final EventCode JOURNALS_UNLISTED =
      new EventCode(
          "HP0707",
          WARN,
          "{directory}: cannot be listed, so no journal is reused: {reason}",
          "New journals are zeroed while they are written, which is slower.",
          "Look at permissions and device (dmesg).");

  static final EventCode JOURNAL_NOT_REUSED =
      new EventCode(
          "HP0708",
          WARN,
          "{directory}: its oldest journal can't be reused: {reason}",
          "The next journal is zeroed while it is written, which is slower.",
          "See the reason; remove other names (hard links) of journals.");

  static final EventCode READ_ONLY =
      new EventCode(
          "HP0709",
          REFUSED,
          "{directory} can't be written to: its file system is mounted read-only",
          "A journal, ledger or fast directory; the bookie ends, and nothing of it is changed.",
          "Look at dmesg: the kernel does that after an I/O error. Mount it writable again (mount -o"
              + " remount,rw, or where that is refused: umount, fsck, mount), and start the bookie.");

  public static final EventCode NO_RIGHT =
      new EventCode(
          "HP0710",
          REFUSED,
          "{path} can't be read or written: the bookie's user, {name}, has no right to it",
          "A journal, ledger or fast directory, or what an earlier start as root has left in one; the"
              + " bookie ends, and nothing of it is changed.",
          "Give that user the directory with all that is in it (chown -R), and start the bookie.");

  static final EventCode JOURNAL_UNFORCED =
      new EventCode(
          "HP0712",
          REFUSED,
          "journal {file}: a force failed ({reason}), so nothing more is written or acknowledged in"
              + " {directory}",
          "What the force should have made durable may be lost in a power cut, though a later force"
              + " would succeed. None of it was acknowledged. The bookie stops.",
          "See dmesg; repair or replace the device, then start the bookie again");

  /** A journal or fast directory on a device that lost writes. */
  static final EventCode WRITES_LOST =
      new EventCode(
          "HP0713",
          ERROR,
          "{directory}: its device lost writes in a power failure (dirty_shutdown {counts}, now"
              + " {counts}). Acknowledged entries may be missing or damaged",
          "The device counts power failures at which it couldn't keep everything. BookKeeper's files"
              + " have no checksums, so only clients can compare an entry with its digest.",
          COME_BACK_NEW);

  /** A journal's group that isn't whole, as lost power leaves one that wasn't acknowledged. */
  public static final EventCode GROUP_TORN =
      new EventCode(
          "HP0714",
          WARN,
          "journal {file}: the records from byte {position} on aren't whole and are left out; if the"
              + " power went while they were written, no client was told of them",
          "A disk that loses power keeps a part of what wasn't forced, and none of that was"
              + " acknowledged. A disk that loses what it had confirmed leaves the same at the end of"
              + " a journal, where no later group shows it.",
          "After lost power nothing is to be done. If the machine kept its power, look at dmesg and at"
              + " the disk (smartctl -a), and let this bookie come back as a new one: decommission it,"
              + " so that its ledgers are replicated again.");

  /** A journal's group that isn't whole, though it was stored. */
  public static final EventCode GROUP_DAMAGED =
      new EventCode(
          "HP0715",
          ERROR,
          "journal {file}: the records from byte {position} to {end} were stored and are damaged;"
              + " those that can be read are replayed as they are",
          "The device didn't keep what it had stored: a later group knew it to be durable, or nothing"
              + " of it is missing. Entries there may be lost. A client's digest finds an altered one.",
          "Look at dmesg and at the disk (smartctl -a). If clients report wrong digests, let this bookie"
              + " come back as a new one: decommission it, so that its ledgers are replicated again.");

  /** A fast directory. */
  public static final EventCode FAST_FOREIGN =
      new EventCode(
          "HP0802",
          REFUSED,
          "{directory} is not the directory that {ledger directory} knows there ({identity}):"
              + " {reason}",
          "The device isn't mounted, was swapped, or its content is lost.",
          "Mount the right device there. If it is lost for good: headpond recover CONF,"
              + " and then its entries come back from the ledgers' other bookies");

  /** The bookie's configuration. */
  public static final EventCode STORAGE_SETTING =
      new EventCode(
          "HP0806",
          REFUSED,
          "the bookie's configuration: {key}=true can't be combined with TieredDbLedgerStorage:"
              + " {reason}",
          "The setting makes BookKeeper write entry logs in a way that the plug-in can't place.",
          "Set it to false.");

  /** The bookie's version. */
  public static final EventCode BOOKKEEPER_UNKNOWN =
      new EventCode(
          "HP0807",
          REFUSED,
          "this BookKeeper's DbLedgerStorage has another {name} than 4.16 to 4.18",
          "TieredDbLedgerStorage is made for 4.16 to 4.18.",
          "Use one of these, or a version of Headpond that knows this one; headpond drain"
              + " --bookkeeper CONF takes it out.");

  /** Placement. */
  public static final EventCode FAST_FULL =
      new EventCode(
          "HP0816",
          WARN,
          "{directory}: no room for another entry log of {size}; new ones go to {directory} until"
              + " there is",
          "Entry logs are written at the speed of the disks until migration has made room.",
          "If it comes often, give it more room, or lower the threshold.");

  /** A failed flush. */
  public static final EventCode ENTRY_LOGS_FAILED =
      new EventCode(
          "HP0819",
          ERROR,
          "entry logs in {directory}: can't be written to any more ({reason}). What was acknowledged"
              + " is in the journal, and no checkpoint completes until it was replayed",
          "A write or a force failed, or the index: nothing is known about what was written last."
              + " Entries stay readable from memory; when that is full, adds are rejected.",
          "Make room or replace the device, then restart the bookie: the journal holds the entries"
              + " and is replayed");

  /** A flush without room. */
  public static final EventCode ENTRIES_LEFT =
      new EventCode(
          "HP0820",
          REFUSED,
          "entry logs in {directory}: a flush found no room, and its entries are still in memory and"
              + " in the journal only: no checkpoint completes before they are written",
          "The journal grows until then.",
          "Make room: one of the next flushes writes them");

  /** A full ledger directory. */
  public static final EventCode LIMIT_LIFTED =
      new EventCode(
          "HP0822",
          WARN,
          "{ledger directories}: a disk is fuller than diskUsageThreshold ({share}); the bookie stays"
              + " writable, because the fast device takes the entry logs",
          "Entry logs can't move to the ledger directory. The index still grows there.",
          "Make room in the ledger directory before the fast device is full.");

  /** A full ledger directory. */
  public static final EventCode HOME_SPENT =
      new EventCode(
          "HP0824",
          ERROR,
          "{ledger directory}: its disk is full ({size} free), and only {size} of the ballast are"
              + " left: diskUsageThreshold is in force again",
          "BookKeeper makes the bookie read-only, and writable again when there is room. What was"
              + " acknowledged is in the journal until the index has room for it.",
          "Make room in the ledger directory.");

  /** A ledger directory of another storage. */
  public static final EventCode INDEX_MISSING =
      new EventCode(
          "HP0826",
          REFUSED,
          "{ledger directory}: has entry logs, but not their index of DbLedgerStorage: {reason}",
          "Their entries would not be found. The bookie ran with another ledgerStorageClass,"
              + " BookKeeper's default SortedLedgerStorage for one, or the index is lost.",
          "With one ledger directory: set the former ledgerStorageClass again, stop the bookie in good"
              + " order, run 'bookkeeper shell convert-to-db-storage', and then change the class. With"
              + " several that conversion loses entries: decommission the bookie, and start it empty."
              + " A lost index: see docs/tiered-ledgers.md");

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      List.of(
          UNSYNCED,
          UNSYNCED_ACCEPTED,
          JOURNAL_FULL,
          JOURNAL_FAILED,
          JOURNALS_UNLISTED,
          JOURNAL_NOT_REUSED,
          READ_ONLY,
          NO_RIGHT,
          JOURNAL_UNFORCED,
          WRITES_LOST,
          GROUP_TORN,
          GROUP_DAMAGED,
          FAST_FOREIGN,
          STORAGE_SETTING,
          BOOKKEEPER_UNKNOWN,
          FAST_FULL,
          ENTRY_LOGS_FAILED,
          ENTRIES_LEFT,
          LIMIT_LIFTED,
          HOME_SPENT,
          INDEX_MISSING);

  private BookieCodes() {}
}
