// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static io.headpond.store.event.EventCode.SEE_CAUSE;
import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.REFUSED;
import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.pmem.Durability;
import java.util.List;

/** The codes of a start, for an operator. HP01: what it is refused for, HP02: what it finds. */
public final class StartCodes {
  public static final EventCode CONFIGURATION =
      new EventCode(
          "HP0101",
          REFUSED,
          "{reason}",
          "The configuration has an unknown key, a bad value, or two that exclude each other; the"
              + " reason names file and key.",
          "Correct it; docs/configuration.md has all keys.");

  public static final EventCode TIER_MISSING =
      new EventCode(
          "HP0102",
          REFUSED,
          "{place}: {directory} is not there",
          "A tier's directory, or a bookie's fast one, doesn't exist. Without it the engine would take"
              + " its segments or entry logs for lost.",
          "Mount its device, or make the directory if it is new, or correct {key} in {file}.");

  public static final EventCode TIER_UNMOUNTED =
      new EventCode(
          "HP0103",
          REFUSED,
          "tier {tier}: {directory} is not the directory that {log directory} knows: it has no"
              + " .headpond file, so it is not mounted or its content is lost",
          "The directory is there, but it isn't the tier that holds this log directory's segments. For"
              + " a device that may come back empty: headpond.tier.NAME.ephemeral=true, and 'headpond"
              + " recover' before each start.",
          "Mount its device. If its content is lost for good: '{command}', with --bootstrap-server"
              + " of another broker, or with --accept-loss if there is none.");

  public static final EventCode TIER_FOREIGN =
      new EventCode(
          "HP0104",
          REFUSED,
          "tier {tier}: {directory} is another tier directory ({identity}) than {log directory}"
              + " knows there ({identity})",
          "Two devices were swapped, or one was restored from elsewhere.",
          "Mount the right device there, or correct {key}. If that device is lost for good:"
              + " '{command}', with --bootstrap-server of another broker, or with --accept-loss if"
              + " there is none.");

  public static final EventCode TIER_NOT_EMPTY =
      new EventCode(
          "HP0105",
          REFUSED,
          "{place}: {directory} is neither empty nor a directory of Headpond's (it holds '{name}')",
          "A new directory must be empty, so that nobody else's files are touched.",
          "Name a directory of its own in {key}.");

  public static final EventCode TIER_IN_USE =
      new EventCode(
          "HP0106",
          REFUSED,
          "tier {tier}: {directory} is in use by another engine ({owner})",
          "A tier directory belongs to one process at a time.",
          "Stop it, or give each engine a tier directory of its own.");

  public static final EventCode TIER_TWICE =
      new EventCode(
          "HP0107",
          REFUSED,
          "{directory} and {directory} are the same tier directory ({identity})",
          "One is a copy of the other, or leads to it by another path.",
          "Take one of them out of the configuration, or empty the copy.");

  public static final EventCode LOG_DIR_COPIED =
      new EventCode(
          "HP0109",
          REFUSED,
          "{log directory} and {log directory} have the same identity: one is a copy of the other,"
              + " and their links lead to the same files",
          "Both would write to, and delete, the same tier files.",
          "Remove the copy; copy a log directory with its data only (rsync -L).");

  public static final EventCode LINK_COPIED =
      new EventCode(
          "HP0110",
          REFUSED,
          "{segment} and {segment} lead to the same file {file}: a copy that kept links",
          "Two segments would share one file, and lose it when one of them goes.",
          "Remove the links that are the copy (rm): that deletes no data. Copy data, not links (rsync"
              + " -L).");

  public static final EventCode LINKS_OUTSIDE =
      new EventCode(
          "HP0111",
          REFUSED,
          "{log directory}: {links} lead outside the configured tiers",
          "The links may belong to a tier, or a bookie's fast directory, that is no longer configured,"
              + " and Headpond wouldn't look after its files.",
          "If a tier was taken out of {file}, or is there by another path now, put it back as it was,"
              + " or drain it first: 'headpond drain {log directory}'. If they came with a partition"
              + " directory from another log directory, move that back. If somebody else made them,"
              + " replace each by a copy of the file that it leads to.");

  public static final EventCode SEGMENTS_MISSING =
      new EventCode(
          "HP0112",
          REFUSED,
          "{log directory}: {links} lead to files that are missing",
          "Segments of this log directory, or entry logs of this ledger directory, are not where they"
              + " were. The engine would take them for empty or deleted.",
          "Restore them. If this directory is a copy that kept links, copy data instead (rsync -L). If"
              + " the files are lost for good: '{command}', for what no other node has with"
              + " --accept-loss.");

  public static final EventCode IDENTITY_FORMAT =
      new EventCode(
          "HP0113",
          REFUSED,
          "{file}: written in format {number}; this version of Headpond reads formats {number} to"
              + " {number}",
          "The directory was written by a version that is too old or too new.",
          "Install a version that reads it, or drain with the version that wrote it.");

  public static final EventCode IDENTITY_DAMAGED =
      new EventCode(
          "HP0114",
          REFUSED,
          "{file}: the identity file is damaged ({reason})",
          "It can't be told whose directory this is. Segments and links are not affected.",
          "Restore it from a backup of the directory.");

  public static final EventCode TIER_UNREAD =
      new EventCode(
          "HP0115",
          REFUSED,
          "tier {tier}: {directory} can't be read or written: {cause}",
          "Where segments are can't be told without it, and the engine would take them for lost.",
          "To mend it: {remedy}. Then start the engine again.");

  public static final EventCode HOME_UNREAD =
      new EventCode(
          "HP0116",
          REFUSED,
          "{log directory}: can't be read or written: {cause}",
          "Where its segments are can't be told. Its files in the tiers are left alone.",
          "To mend it: {remedy}. Then start the engine again.");

  public static final EventCode HOME_REFUSED =
      new EventCode(
          "HP0117",
          ERROR,
          "{log directory}: is left out until the next start, the other log directories go on:"
              + " {reason}",
          "Every operation in this log directory fails with this reason, so that Kafka takes it for"
              + " offline and not for empty. Its files in the tiers are left alone.",
          "Do what the reason says, then start the engine again.");

  public static final EventCode TIER_NOT_RECOVERED =
      new EventCode(
          "HP0118",
          REFUSED,
          "tier {tier}: {directory} isn't an empty device that may be taken up: {reason}",
          "'headpond recover' goes on without what a tier held only if its device is there, and"
              + " empty, and declared to be one that may come back empty. Whatever else is missing"
              + " may only not be mounted.",
          "Mount the device at exactly this path, the old one or a new one with an empty file"
              + " system. If the tier is lost for good: 'headpond recover {file} --tier {tier}', with"
              + " --bootstrap-server of another broker, or with --accept-loss if there is none.");

  public static final EventCode RECOVERY_UNSAFE =
      new EventCode(
          "HP0119",
          REFUSED,
          "{count} partitions can't be brought back as a whole: {partitions}",
          "No other broker leads these partitions, or none was asked, or the cluster still counts this"
              + " one as in sync: it might lead with a shorter log. Nothing was changed in any log"
              + " directory.",
          "Start the brokers that have them, and run it again with --bootstrap-server of one of them. To"
              + " give up what no other broker has: --accept-loss");

  public static final EventCode WRITES_LOST =
      new EventCode(
          "HP0120",
          REFUSED,
          "tier {tier}: {directory} lost writes in a power failure (dirty_shutdown {counts}, now"
              + " {counts})",
          "The device counts power failures at which it couldn't keep everything. Acknowledged"
              + " records may be missing or damaged there.",
          "Run 'headpond verify {log directory}'. If no segment is damaged, it notes the count, and the"
              + " next start goes ahead. Otherwise it names the offsets; then 'headpond recover {file}"
              + " --tier {tier}' cuts each log at its first damaged segment.");

  public static final EventCode HOME_IN_USE =
      new EventCode(
          "HP0121",
          REFUSED,
          "{log directory} is in use by another process, which holds {lock file}",
          "A second engine would move and delete files of the first one, which may run without"
              + " Headpond, until its own lock ends it.",
          "Stop that process. If it is this broker, started without Headpond, start it again with"
              + " it.");

  public static final EventCode LINK_NOWHERE =
      new EventCode(
          "HP0201",
          WARN,
          "{link}: leads nowhere; the tiers' files for {log directory} are not searched for"
              + " orphans",
          "What the link should lead to may hold names of tier files, so none is called an orphan.",
          "Mount the disk that it leads to, or remove the link.");

  public static final EventCode ORPHANS =
      new EventCode(
          "HP0202",
          WARN,
          "{place}: {count} files ({size}) that no link of their log or ledger directory names were put"
              + " into {directory}; they are deleted after 7 days",
          "Left by a crash between a move or a deletion and its clearing away; or somebody removed"
              + " links by hand, or an engine deleted files while it ran without Headpond.",
          "If a segment or an entry log is missed, look for it there before that.");

  public static final EventCode HOME_ABSENT =
      new EventCode(
          "HP0204",
          WARN,
          "{tier}: holds segments of a log directory ({identity}) that is not there; they are left"
              + " alone",
          "A log directory isn't mounted, was taken out of the configuration, or is another engine's."
              + " Its files still take room in the tier.",
          "Mount it, or name it in log.dirs again; if it is another engine's, give each a tier of its"
              + " own. Delete its folder in the tier's segments/ only if it is gone for good.");

  public static final EventCode TIER_NOT_DURABLE =
      new EventCode(
          "HP0205",
          WARN,
          "{place}: {directory} is {durability}: {reason}",
          "What is written there may be lost with it, and isn't counted as durable. "
              + Durability.glossary(),
          "For what must stay, use a device that is DURABLE, or keep replicas on other machines;"
              + " headpond doctor {directory} says what a directory is good for.");

  public static final EventCode CAPACITY_TOO_LARGE =
      new EventCode(
          "HP0209",
          WARN,
          "{place}: {directory} may take {size} by its capacity, but its file system has {size}"
              + " in all",
          "Migration steers by the capacity, so it begins too late: the device is full before.",
          "Lower {key}, or remove it: then it is what the file systems have, less 2 %. If its device"
              + " isn't mounted, mount it instead.");

  public static final EventCode ORPHANS_STAY =
      new EventCode(
          "HP0210",
          WARN,
          "{tier}: files that no link names can't be put into {directory}",
          "They stay where they are, and take room in the tier; the next start tries it again.",
          SEE_CAUSE);

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      List.of(
          CONFIGURATION,
          TIER_MISSING,
          TIER_UNMOUNTED,
          TIER_FOREIGN,
          TIER_NOT_EMPTY,
          TIER_IN_USE,
          TIER_TWICE,
          LOG_DIR_COPIED,
          LINK_COPIED,
          LINKS_OUTSIDE,
          SEGMENTS_MISSING,
          IDENTITY_FORMAT,
          IDENTITY_DAMAGED,
          TIER_UNREAD,
          HOME_UNREAD,
          HOME_REFUSED,
          TIER_NOT_RECOVERED,
          RECOVERY_UNSAFE,
          WRITES_LOST,
          HOME_IN_USE,
          LINK_NOWHERE,
          ORPHANS,
          HOME_ABSENT,
          TIER_NOT_DURABLE,
          CAPACITY_TOO_LARGE,
          ORPHANS_STAY);

  private StartCodes() {}
}
