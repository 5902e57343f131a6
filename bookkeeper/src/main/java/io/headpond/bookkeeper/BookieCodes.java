// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static io.headpond.store.event.EventCode.NOTHING_TO_DO;
import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.REFUSED;
import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.pmem.Durability;
import io.headpond.store.event.EventCode;
import java.util.List;

/** Event codes of a bookie. HP07: the journal, HP08: entry logs. */
public final class BookieCodes {
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

  static final EventCode JOURNAL_NOT_DURABLE =
      new EventCode(
          "HP0703",
          WARN,
          "journal {directory} is {durability}: {reason}. Acknowledged entries may be lost with it",
          Durability.glossary(),
          "Put the journal on FSDAX or on a disk that is DURABLE, or keep replicas on other machines;"
              + " headpond doctor DIR says what a directory is good for.");

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
  public static final EventCode FAST_MISSING =
      new EventCode(
          "HP0801",
          REFUSED,
          "{directory} is not there",
          "A fast directory of entry logs doesn't exist. BookKeeper would take its entry logs for"
              + " deleted.",
          "Mount its device, or make the directory if it is new, or correct {key} in the bookie's"
              + " configuration. If the device is lost for good: headpond recover CONF");

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

  /** A fast directory. */
  public static final EventCode FAST_NOT_EMPTY =
      new EventCode(
          "HP0803",
          REFUSED,
          "{directory} is neither empty nor a directory of Headpond's (it holds '{name}')",
          "A new fast directory must be empty, so that nobody else's files are touched.",
          "Name a directory of its own in {key}.");

  /** Entry logs. */
  public static final EventCode LOGS_OUTSIDE =
      new EventCode(
          "HP0804",
          REFUSED,
          "{links}: these entry logs lie neither in {ledger directory} nor in its fast directory"
              + " {directory}",
          "They belong to a fast directory that is no longer configured.",
          "Put the former directory back into {key}, or drain it first: headpond drain --bookkeeper"
              + " CONF");

  /** Entry logs. */
  public static final EventCode LOGS_MISSING =
      new EventCode(
          "HP0805",
          REFUSED,
          "{links}: these entry logs are missing",
          "BookKeeper would take them for deleted, and their entries for gone.",
          "Mount or restore {directory}. If they are lost for good: headpond recover CONF,"
              + " and then their entries come back from the ledgers' other"
              + " bookies");

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

  /** Migration. */
  public static final EventCode MIGRATION_BLOCKED =
      new EventCode(
          "HP0811",
          ERROR,
          "{directory}: above its threshold, but {reason}",
          "Sealed entry logs stay on the fast device. When it is full, new ones go to the disks.",
          "Make room in the ledger directory, or repair what the reason names.");

  /** Start. */
  public static final EventCode UNFINISHED_MIGRATION =
      new EventCode(
          "HP0812",
          WARN,
          "{file}: the rest of an interrupted migration was removed",
          "A crash in the middle of a move left a copy. The entry log is where it was.",
          NOTHING_TO_DO);

  /** Start. */
  public static final EventCode ORPHAN =
      new EventCode(
          "HP0813",
          WARN,
          "{file}: no name in {directory} leads to this file of {size}; it was put into"
              + " {directory}",
          "Left by a crash, or BookKeeper deleted the entry log while it ran without Headpond.",
          "If an entry log is missed, look for it there within 7 days;"
              + " else nothing needs to be done.");

  /** Deletion. */
  public static final EventCode LOG_KEPT =
      new EventCode(
          "HP0814",
          WARN,
          "{file}: can't be deleted; it is put into quarantine at a start",
          "It takes room on the fast device; its name in the ledger directory is gone.",
          "Look at permissions and device (dmesg).");

  /** Placement. */
  public static final EventCode FAST_UNREADABLE =
      new EventCode(
          "HP0815",
          ERROR,
          "{directory}: can't be looked at; new entry logs go to {directory}",
          "Entry logs are written at the speed of the disks.",
          "Repair the device (dmesg), or mount it again.");

  /** Placement. */
  public static final EventCode FAST_FULL =
      new EventCode(
          "HP0816",
          WARN,
          "{directory}: no room for another entry log of {size}; new ones go to {directory} until"
              + " there is",
          "Entry logs are written at the speed of the disks until migration has made room.",
          "If it comes often, give it more room, or lower the threshold.");

  /** Start. */
  public static final EventCode FAST_NOT_DURABLE =
      new EventCode(
          "HP0817",
          WARN,
          "{directory} is {durability}: {reason}. Entry logs that weren't migrated yet may be lost"
              + " with it",
          Durability.glossary(),
          "Put the fast directory on FSDAX or on a disk that is DURABLE, or keep replicas on other"
              + " machines.");

  /** Any time. */
  public static final EventCode BACKGROUND_FAILED =
      new EventCode(
          "HP0818",
          ERROR,
          "{thread}: its work ended with an error and is tried again; {count} such failures since"
              + " the start",
          "What the thread does in the background (making a spare journal, growing files ahead,"
              + " moving entry logs, metrics) came later or was left out. The thread goes on. Said"
              + " once a minute at most.",
          "See the cause; if memory is short, give the process more (-Xmx,"
              + " -XX:MaxDirectMemorySize). If it is 'unable to create native thread', raise the"
              + " limit of threads (ulimit -u, TasksMax, the container's pids limit).");

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

  /** A start after a loss. */
  public static final EventCode LOCATIONS_REMOVED =
      new EventCode(
          "HP0821",
          WARN,
          "{directory}: entry logs of it were given up; {count} entries of the index that lay in them"
              + " were taken out of it",
          "The bookie doesn't claim to have these entries any more. Its data integrity check copies"
              + " what it lacks from the ledgers' other bookies.",
          NOTHING_TO_DO);

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
  public static final EventCode HOME_FULL =
      new EventCode(
          "HP0823",
          ERROR,
          "{ledger directory}: its disk is full; {size} of the ballast were given back, {size} are"
              + " left; of its {size}, entry logs that lie there take {size}, and everything else"
              + " {size}",
          "The bookie goes on while the fast device has room for entry logs, and the ballast for the"
              + " index.",
          "Make room in the ledger directory.");

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

  /** A full ledger directory. */
  public static final EventCode HOME_UNREADABLE =
      new EventCode(
          "HP0825",
          ERROR,
          "{ledger directory}: can't be asked for its free space",
          "The last answer is taken for true.",
          "Look at the device (dmesg).");

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

  public static final EventCode FAST_CAPACITY_TOO_LARGE =
      new EventCode(
          "HP0828",
          WARN,
          "{directory} may take {size} by its capacity, but its file system has {size} in all",
          "Migration steers by the capacity, so it begins too late: the device is full before.",
          "Lower {key}, or remove it: then it is what the file system has, less 2 %. If its device"
              + " isn't mounted, mount it instead.");

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      List.of(
          UNSYNCED,
          UNSYNCED_ACCEPTED,
          JOURNAL_NOT_DURABLE,
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
          FAST_MISSING,
          FAST_FOREIGN,
          FAST_NOT_EMPTY,
          LOGS_OUTSIDE,
          LOGS_MISSING,
          STORAGE_SETTING,
          BOOKKEEPER_UNKNOWN,
          MIGRATION_BLOCKED,
          UNFINISHED_MIGRATION,
          ORPHAN,
          LOG_KEPT,
          FAST_UNREADABLE,
          FAST_FULL,
          FAST_NOT_DURABLE,
          BACKGROUND_FAILED,
          ENTRY_LOGS_FAILED,
          ENTRIES_LEFT,
          LOCATIONS_REMOVED,
          LIMIT_LIFTED,
          HOME_FULL,
          HOME_SPENT,
          HOME_UNREADABLE,
          INDEX_MISSING,
          FAST_CAPACITY_TOO_LARGE);

  private BookieCodes() {}
}
