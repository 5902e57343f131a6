// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static io.headpond.store.event.EventCode.NOTHING_TO_DO;
import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.REFUSED;
import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.pmem.Durability;
import java.util.List;

/**
 * The store's codes for an operator. HP01: refused at the start, HP02: found at the start, HP03:
 * tiers and log directories, HP04: migration, HP05: clearing away, HP06: Kafka.
 *
 * <p>{@code docs/errors.md} is made from {@link #ALL}, and from the other modules' lists.
 */
public final class StoreCodes {
  private static final String SEE_CAUSE =
      "See the cause: make room, correct the permissions, or repair the device (dmesg).";
  private static final String REPORT = "Report it with its stack trace if it comes again.";

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
          "tier {tier}: {directory} is not there",
          "A tier's directory doesn't exist. Without it the engine would take its segments for"
              + " lost.",
          "Mount its device, or make the directory if the tier is new, or correct {key} in"
              + " {file}.");

  public static final EventCode TIER_UNMOUNTED =
      new EventCode(
          "HP0103",
          REFUSED,
          "tier {tier}: {directory} is not the directory that {log directory} knows: it has no"
              + " .headpond file, so it is not mounted or its content is lost",
          "The directory is there, but it isn't the tier that holds this log directory's segments.",
          "Mount it. If it is lost for good: headpond forget-tier {log directory} {tier}"
              + " --keep-prefix. For a device that may come back empty:"
              + " headpond.tier.{tier}.ephemeral=true, and headpond recover before each start.");

  public static final EventCode TIER_FOREIGN =
      new EventCode(
          "HP0104",
          REFUSED,
          "tier {tier}: {directory} is another tier directory ({identity}) than {log directory}"
              + " knows there ({identity})",
          "Two devices were swapped, or one was restored from elsewhere.",
          "Mount the right device there, or correct {key}.");

  public static final EventCode TIER_NOT_EMPTY =
      new EventCode(
          "HP0105",
          REFUSED,
          "tier {tier}: {directory} is neither empty nor a tier directory (it holds '{name}')",
          "A new tier's directory must be empty, so that nobody else's files are touched.",
          "Give the tier a directory of its own.");

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

  public static final EventCode BACK_END =
      new EventCode(
          "HP0108",
          REFUSED,
          "{file}: headpond.persist: {reason} (tier {tier}, {directory})",
          "The back end that was named can't work on this device or in this JVM.",
          "Name another one, or remove the key: then the best one is chosen. A tier of"
              + " type=file isn't concerned.");

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
          "The links may belong to a tier that is no longer configured, and Headpond wouldn't look"
              + " after its files.",
          "If a tier was taken out of {file}, or is there by another path now, put it back as it was,"
              + " or drain it first (headpond drain {log directory}). If they came with a partition"
              + " directory from another log directory, move that back. If somebody else made them,"
              + " replace each by a copy of the file that it leads to.");

  public static final EventCode SEGMENTS_MISSING =
      new EventCode(
          "HP0112",
          REFUSED,
          "{log directory}: {links} lead to files that are missing",
          "Segments of this log directory are not where they were. Kafka would take them for"
              + " empty.",
          "Mount or restore the tier. If this log directory is a copy that kept links, copy data"
              + " instead (rsync -L). If the tier is lost for good: headpond forget-tier"
              + " {log directory} TIER --keep-prefix");

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
          "Restore it from a backup of the directory; headpond verify shows what the links say.");

  public static final EventCode TIER_UNREAD =
      new EventCode(
          "HP0115",
          REFUSED,
          "tier {tier}: {directory} can't be read or written: {cause}",
          "Where segments are can't be told without it, and the engine would take them for lost.",
          "See the cause: correct the permissions, or repair the device (dmesg); then start the engine"
              + " again.");

  public static final EventCode HOME_UNREAD =
      new EventCode(
          "HP0116",
          REFUSED,
          "{log directory}: can't be read or written: {cause}",
          "Where its segments are can't be told. Its files in the tiers are left alone.",
          "See the cause: correct the permissions, or repair the device (dmesg); then start the engine"
              + " again.");

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
              + " system. If the tier is lost and this can't be done: headpond forget-tier {log"
              + " directory} {tier} --keep-prefix");

  public static final EventCode RECOVERY_UNSAFE =
      new EventCode(
          "HP0119",
          REFUSED,
          "tier {tier} came back empty, and {count} partitions of {log directory} can't be brought"
              + " back as a whole: {partitions}",
          "Of these partitions no other broker leads, or the cluster still counts this one as in"
              + " sync: it might lead with a shorter log. Nothing was changed in any log directory.",
          "Start the brokers that have them, then run it again. To accept what nobody has: headpond"
              + " forget-tier {log directory} {tier} --keep-prefix --accept-loss");

  public static final EventCode SEGMENTS_TORN =
      new EventCode(
          "HP0120",
          REFUSED,
          "{log directory}: segments aren't whole after a shutdown at which tier {tier} lost"
              + " something: {segments}",
          "The device counted a shutdown at which it didn't keep everything, and records of sealed"
              + " segments don't match their checksums. The engine wouldn't notice, or would delete"
              + " every later segment.",
          "Move these files out of the tier, then cut each log at its first missing segment: headpond"
              + " forget-tier {log directory} {tier} --keep-prefix. As a follower the broker brings"
              + " back what a leader has. headpond verify {log directory} shows every fault.");

  public static final EventCode HOME_IN_USE =
      new EventCode(
          "HP0121",
          REFUSED,
          "{log directory} is in use by another process, which holds {lock file}",
          "A second engine would move and delete files of the first one, which may run without"
              + " Headpond, until its own lock ends it.",
          "Stop that process. If it is this broker, started without Headpond, start it again with"
              + " it.");

  public static final EventCode TAIL_LOST =
      new EventCode(
          "HP0122",
          REFUSED,
          "{segment}: {file} has lost bytes that its mirror holds ({size} in {mirror})",
          "The tier's file ends before its mirror does, as after its file system was shut down by"
              + " an error. A start takes the mirror then, but not where the partition directory is"
              + " a link, perhaps to another file system.",
          "Look at the tier's device (dmesg), then copy the mirror over the file: cp {mirror} {file}."
              + " Or delete the mirror: what the tier's file lacks is lost then.");

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
          "{tier}: {count} files ({size}) that no link of their log directory names were put into"
              + " {directory}; they are deleted after {time}",
          "Left by a crash between a move or a deletion and its clearing away; or somebody removed"
              + " links by hand.",
          "If a segment is missed, look for it there before that; else nothing needs to be done.");

  public static final EventCode UNFINISHED_MOVE =
      new EventCode(
          "HP0203",
          WARN,
          "{file}: the rest of an interrupted move was removed",
          "A crash in the middle of a move left a copy. The segment is where it was.",
          NOTHING_TO_DO);

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
          "tier {tier}: {directory} is {durability}: {reason}",
          "Bytes appended there aren't counted as durable. " + Durability.glossary(),
          "For what must stay, put the tier on a device that is DURABLE, or keep the topics replicated"
              + " on other machines; headpond doctor {directory} says what a directory is good for.");

  public static final EventCode TIER_RECOVERED =
      new EventCode(
          "HP0206",
          WARN,
          "tier {tier}: {directory} came back empty; {count} partitions of {log directory} were cut"
              + " where their first segment is missing; {size} of them stay, {count} files were set"
              + " aside",
          "'headpond recover' did so before the start. The broker, as a follower, brings the rest"
              + " back from other replicas. The log directory's file .headpond.recovered has a line"
              + " of each time.",
          "Nothing needs to be done; delete what was set aside when nobody needs it.");

  public static final EventCode UNCLEAN_SHUTDOWN =
      new EventCode(
          "HP0207",
          WARN,
          "tier {tier}: {directory} lost something when its power went (dirty_shutdown of {modules});"
              + " {count} segments ({size}) of {log directory} there are verified before they are"
              + " served",
          "The memory counts shutdowns at which it couldn't keep everything. What was acknowledged"
              + " before may be missing there, so every record is compared with its checksum.",
          "Look at the modules (ndctl list -DH), and replace them if it comes again: what lies there"
              + " isn't durable.");

  public static final EventCode SEGMENT_CUT =
      new EventCode(
          "HP0208",
          WARN,
          "{segment}: no whole record from byte {position} of {length} on; the engine's recovery cuts it"
              + " there",
          "The end of a log was torn in a shutdown at which the tier lost something. Records that"
              + " were acknowledged may have stood there.",
          "As a follower the broker brings back what a leader has. Without another replica they are"
              + " lost.");

  public static final EventCode CAPACITY_TOO_LARGE =
      new EventCode(
          "HP0209",
          WARN,
          "tier {tier}: {directory} may take {size} by its capacity, but its file system has {size}"
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

  public static final EventCode TAILS_RESTORED =
      new EventCode(
          "HP0211",
          WARN,
          "{log directory}: tiers have lost bytes of {count} segments that their mirrors hold; these"
              + " go on with the mirrors, at home: {segments}",
          "What wasn't forced in a tier went with its file system, which was shut down by an error,"
              + " or with the power. The mirrors have it. What was left in the tier goes to"
              + " quarantine.",
          "Look at the tier's device and its file system (dmesg).");

  public static final EventCode CREATE_FAILED =
      new EventCode(
          "HP0301",
          WARN,
          "{tier}: no new segment there, trying further down",
          "The tier directory didn't take a new segment's file. Unless it was only full, it gets no"
              + " new ones, and what can be read of its segments is moved out.",
          SEE_CAUSE);

  public static final EventCode EVACUATION_FAILED =
      new EventCode(
          "HP0302",
          WARN,
          "{tier}: can't take {segment}, trying further down",
          "A segment that its own tier can't hold any longer didn't find a place in this one"
              + " either.",
          SEE_CAUSE);

  public static final EventCode EVACUATED =
      new EventCode(
          "HP0303",
          WARN,
          "{segment}: {reason}; its {size} were moved to {place} and it goes on there; appends to"
              + " it waited {time} ms",
          "The device of an active segment was full or failed. No acknowledged byte is affected."
              + " Said of the first segment, and when no further one was moved for a minute.",
          "If the tier was full, raise its capacity or lower its threshold; if its device failed,"
              + " replace it (dmesg).");

  public static final EventCode TIER_UNREADABLE =
      new EventCode(
          "HP0304",
          WARN,
          "{tier}: can't be asked for its free space, no new segments there",
          "The tier directory counts as failed; what can be read of its segments is moved out.",
          "Repair its device (dmesg), or mount it again; then headpond tier retry, or a restart.");

  public static final EventCode HOME_LOW =
      new EventCode(
          "HP0305",
          ERROR,
          "{log directory}: only {size} are free, and headpond.home.reserve is {reserve}: nothing"
              + " more is moved or put there while a tier has room",
          "Without room for indexes and checkpoints Kafka stops the log directory.",
          "Make room, or lower the retention.");

  public static final EventCode HOME_UNREADABLE =
      new EventCode(
          "HP0306",
          WARN,
          "{log directory}: can't be asked for its free space",
          "What was known of it last still counts.",
          "Look at its device (dmesg).");

  public static final EventCode SPACE_KEPT =
      new EventCode(
          "HP0307",
          WARN,
          "{segment}: giving back the space grown ahead failed; tried again later",
          "An idle segment takes more room in its tier than its data.",
          "If it comes again, look at the device (dmesg).");

  public static final EventCode NOT_FOLLOWED =
      new EventCode(
          "HP0308",
          WARN,
          "{segment}: a channel can't follow its segment yet",
          "The segment was moved, and a channel that the engine has open on it couldn't open the"
              + " new file. It tries again when it is used next.",
          "If reads fail afterwards, see the cause: too many open files, or the device (dmesg).");

  public static final EventCode CLOSE_FAILED =
      new EventCode(
          "HP0309",
          WARN,
          "{file}: closing after its segment was moved or deleted",
          "The former file of a segment; what counts lies elsewhere.",
          NOTHING_TO_DO);

  public static final EventCode DEVICE_FAILED =
      new EventCode(
          "HP0310",
          REFUSED,
          "{segment}: {operation} failed: {cause}",
          "A device failed to do what the engine asked of a segment's channel, and there was no"
              + " other place. What was acknowledged before is there, but for what the device can't"
              + " give back.",
          SEE_CAUSE);

  public static final EventCode NAME_UNCLEAR =
      new EventCode(
          "HP0311",
          ERROR,
          "{segment}: leads to {file} or to its copy {file}, and the device can't say which: {error}",
          "A rename failed, and so did the look at what it had done. Nothing more is written to the"
              + " segment by this process; both files are kept, and hold the same bytes.",
          "See the cause (dmesg), then restart the engine: the start looks at the name again.");

  public static final EventCode OVERFLOW =
      new EventCode(
          "HP0312",
          WARN,
          "tier {tier}: overflows: {segment} was created {place}, because {reason}",
          "New segments are created further down, at the speed of that place, as long as the tier"
              + " has no room for them. Said when it begins, and when none was for a minute.",
          "If the reason is a directory that failed, see HP0314. If it is a lack of room, nothing as"
              + " long as a burst passes; if it comes again, lower {key}, make the tier larger, or"
              + " keep topics out of it: headpond plan calculates it.");

  public static final EventCode TIER_FULL =
      new EventCode(
          "HP0313",
          WARN,
          "tier {tier}: is full: segments take {size} of its {size}",
          "New segments are created further down; one that is appended to is moved in the middle of"
              + " an append when it needs more. Said when 95 % are taken, and when they weren't for a"
              + " minute.",
          "Lower {key}, so that migration makes room earlier; make the tier larger, or keep topics"
              + " out of it.");

  public static final EventCode TIER_FAILED =
      new EventCode(
          "HP0314",
          ERROR,
          "tier {tier}: {directory} counts as failed; nothing new is put there, and what can be read"
              + " of its segments is moved out",
          "Its device refused something, or can't be asked. What can be read of it is brought to the"
              + " next place with room. What can't stays, and reading it fails; headpond status says"
              + " why.",
          "Look at the device (dmesg). When it works again: headpond tier retry LOGDIR {tier}. If it"
              + " is replaced, restart the engine.");

  public static final EventCode TIER_LEAVING =
      new EventCode(
          "HP0315",
          WARN,
          "tier {tier}: is being removed, as an operator asked; nothing new is put there, and its"
              + " {count} segments are moved out",
          "Segments go to the next place with room, at migration's pace. It ends with HP0316, or"
              + " with the engine: the next start uses what its configuration says.",
          "headpond tier add LOGDIR {tier} calls it off.");

  public static final EventCode TIER_REMOVED =
      new EventCode(
          "HP0316",
          WARN,
          "tier {tier}: is empty, and used no more until the next start; its lock is given up",
          "Nothing leads there any more, also after a power cut. The device may be unmounted.",
          "Take {tier} out of {file} before the next start, or mount it for that.");

  public static final EventCode TIER_BACK =
      new EventCode(
          "HP0317",
          WARN,
          "tier {tier}: is used again, as an operator asked: {reason}",
          "A removal was called off, or a device was examined: identity, lock, and a file that was"
              + " written, forced and read again. What was written before a failure isn't trusted:"
              + " those segments go on leaving.",
          NOTHING_TO_DO);

  public static final EventCode REQUEST_UNREAD =
      new EventCode(
          "HP0318",
          WARN,
          "{log directory}: a request (.headpond-request) can't be taken up, or answered: {reason}",
          "Something that headpond tier asked for isn't done, or its command isn't told.",
          "See the reason: run the command as the user that owns the log directory; make room"
              + " there.");

  public static final EventCode TIER_JOINED =
      new EventCode(
          "HP0319",
          WARN,
          "tier {tier}: is used now, as an operator asked: {reason}",
          "The broker started without it. It passed the checks of a start, and its device a trial.",
          "Keep it in {file}, where the next start finds it.");

  public static final EventCode HOME_FULL =
      new EventCode(
          "HP0320",
          ERROR,
          "{log directory}: its disk is full; {size} of the ballast were given back, {size} are"
              + " left; {use}",
          "The engine goes on while a tier has room for segments and the ballast lasts.",
          "Make room, or lower the retention; see docs/runbook.md.");

  public static final EventCode HOME_SPENT =
      new EventCode(
          "HP0321",
          ERROR,
          "{log directory}: its disk is full ({size} free), and there is no ballast left to give"
              + " back",
          "Nothing more is appended there: the engine's index of what is appended needs room, and"
              + " an index that fails after its append would leave a log that contradicts itself.",
          "Make room, then start the engine again.");

  public static final EventCode BALLAST_MISSING =
      new EventCode(
          "HP0322",
          WARN,
          "{log directory}: its ballast can't be allocated: {reason}",
          "A full disk stops the log directory at once.",
          "See the reason: permissions, a quota, or the device (dmesg). It is tried again.");

  public static final EventCode MIGRATION_FAILED =
      new EventCode(
          "HP0401",
          WARN,
          "{segment}: can't be moved to {place}; it stays where it is, tried again later",
          "A move ended with an error. The segment wasn't touched.",
          SEE_CAUSE);

  public static final EventCode MIGRATION_BLOCKED =
      new EventCode(
          "HP0402",
          ERROR,
          "migration stops: {reason}. Appends go on while a tier has room",
          "A tier is above its threshold, and below it there is no room. When it is full, new"
              + " segments go where room is.",
          "Make room at home, or lower the retention.");

  public static final EventCode CHOICE_FAILED =
      new EventCode(
          "HP0403",
          ERROR,
          "choosing what to migrate failed; tried again later",
          "Nothing moves meanwhile.",
          REPORT);

  public static final EventCode POLICY_FAILED =
      new EventCode(
          "HP0404",
          ERROR,
          "{policy}: the migration policy failed; the segment ranks as 0",
          "The class that headpond.migrate.policy names threw something. Said once.",
          "Correct the class; report it if it is one of Headpond's own.");

  public static final EventCode GROUP_LOST =
      new EventCode(
          "HP0405",
          WARN,
          "{file}: can't be given to the group {group} as {source} is: {reason}; it keeps the"
              + " engine's own group, whose members may do what all others may",
          "Headpond's user isn't in that group: the directory's setgid bit gives it to new files, or"
              + " another user made the file. What is moved or replaced loses it. Said once.",
          "Take the setgid bit from the directory (chmod g-s), or add the user to the group.");

  public static final EventCode QUARANTINE_KEPT =
      new EventCode(
          "HP0501",
          WARN,
          "{tier}: its quarantine can't be purged",
          "Files that no link names take room longer than headpond.quarantine.grace.",
          SEE_CAUSE);

  public static final EventCode COUNTERS_STALE =
      new EventCode(
          "HP0502",
          WARN,
          "{file}: the live counters can't be written; they are out of date",
          "headpond status shows old figures of this broker; metrics are not affected. Said once.",
          SEE_CAUSE);

  public static final EventCode FORCE_FAILED =
      new EventCode(
          "HP0504",
          ERROR,
          "{directory}: forcing the directory failed; the tier files that it dropped are kept until"
              + " the next start",
          "It can't be told whether a power cut would bring the old names back, so what they lead"
              + " to stays.",
          "Look at the device (dmesg).");

  public static final EventCode FILE_GONE =
      new EventCode(
          "HP0505",
          WARN,
          "{file}: was deleted by somebody else",
          "A tier file whose segment was moved or deleted. No data is affected, but somebody works"
              + " in the tier's directory.",
          "Find out who deletes files there.");

  public static final EventCode FILE_KEPT =
      new EventCode(
          "HP0506",
          ERROR,
          "{file}: can't be deleted; it stays as an orphan",
          "It takes room in the tier; the next start puts it into quarantine.",
          SEE_CAUSE);

  public static final EventCode SPACE_LATE =
      new EventCode(
          "HP0507",
          WARN,
          "{file}: its space comes back with a garbage collection only",
          "A deleted file is still mapped, and couldn't be cut.",
          NOTHING_TO_DO);

  public static final EventCode BACKGROUND_FAILED =
      new EventCode(
          "HP0509",
          ERROR,
          "{thread}: its work ended with an error and is tried again; {count} such failures since"
              + " the start",
          "What the thread does in the background (migration, giving space back, the clock, growing"
              + " files ahead, metrics) came later or was left out. The thread goes on. Said once a"
              + " minute at most.",
          "See the cause; if memory is short, give the process more (-Xmx,"
              + " -XX:MaxDirectMemorySize). If it is 'unable to create native thread', raise the"
              + " limit of threads (ulimit -u, TasksMax, the container's pids limit).");

  public static final EventCode STOP_FAILED =
      new EventCode(
          "HP0510",
          WARN,
          "a part of the store couldn't be stopped in order; the others are",
          "The engine is ending. What the part left behind is found at the next start.",
          REPORT);

  public static final EventCode MIRROR_SUSPENDED =
      new EventCode(
          "HP0511",
          WARN,
          "{log directory}: the mirrors of its tiers are suspended: {reason}",
          "Appends to mirrored tiers go on, and are no longer written home too: what is appended"
              + " from now on is lost if a tier's device is. The mirrors go on by themselves.",
          "Make room at home, or look at its disk; headpond status says how far behind they are.");

  public static final EventCode MIRROR_UNREAD =
      new EventCode(
          "HP0512",
          WARN,
          "{file}: can't be mirrored, because it can't be read: {reason}",
          "The device of a mirrored tier doesn't give back what was written there. An append that"
              + " waits for that mirror (mirror=0) goes on at home, if the mirror and that append"
              + " are all of its segment; else it fails (HP0310), and so do those that find the"
              + " mirror too far behind (mirror.lag=wait), and the appends to later segments of that"
              + " log. Other logs are mirrored as before. Said of the first such file. It is tried"
              + " again once a second.",
          "Look at the tier's device (dmesg); headpond status says how far behind the mirrors are.");

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
          BACK_END,
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
          SEGMENTS_TORN,
          HOME_IN_USE,
          TAIL_LOST,
          LINK_NOWHERE,
          ORPHANS,
          UNFINISHED_MOVE,
          HOME_ABSENT,
          TIER_NOT_DURABLE,
          TIER_RECOVERED,
          UNCLEAN_SHUTDOWN,
          SEGMENT_CUT,
          CAPACITY_TOO_LARGE,
          ORPHANS_STAY,
          TAILS_RESTORED,
          CREATE_FAILED,
          EVACUATION_FAILED,
          EVACUATED,
          TIER_UNREADABLE,
          HOME_LOW,
          HOME_UNREADABLE,
          SPACE_KEPT,
          NOT_FOLLOWED,
          CLOSE_FAILED,
          DEVICE_FAILED,
          NAME_UNCLEAR,
          OVERFLOW,
          TIER_FULL,
          TIER_FAILED,
          TIER_LEAVING,
          TIER_REMOVED,
          TIER_BACK,
          REQUEST_UNREAD,
          TIER_JOINED,
          HOME_FULL,
          HOME_SPENT,
          BALLAST_MISSING,
          MIGRATION_FAILED,
          MIGRATION_BLOCKED,
          CHOICE_FAILED,
          POLICY_FAILED,
          GROUP_LOST,
          QUARANTINE_KEPT,
          COUNTERS_STALE,
          FORCE_FAILED,
          FILE_GONE,
          FILE_KEPT,
          SPACE_LATE,
          BACKGROUND_FAILED,
          STOP_FAILED,
          MIRROR_SUSPENDED,
          MIRROR_UNREAD);

  private StoreCodes() {}
}
