// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static io.headpond.store.event.EventCode.REPORT;
import static io.headpond.store.event.EventCode.SEE_CAUSE;
import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.WARN;

import java.util.List;

/**
 * The codes of the work beside the engine, for an operator. HP04: migration, HP05: clearing away
 * and counters.
 */
public final class BackgroundCodes {
  public static final EventCode MIGRATION_FAILED =
      new EventCode(
          "HP0401",
          WARN,
          "{segment}: can't be moved to {place}; it stays where it is, tried again later",
          "A move ended with an error. The segment wasn't touched.",
          SEE_CAUSE
              + " If a tier's device works again, restart the broker. If it doesn't: stop the"
              + " broker, then headpond drain --tier for what can be read.");

  public static final EventCode MIGRATION_BLOCKED =
      new EventCode(
          "HP0402",
          ERROR,
          "migration stops: {reason}. Writes go on while the fast device has room",
          "A tier, or a bookie's fast directory, is above its threshold, and below it there is no room."
              + " When it is full, new segments or entry logs go where room is.",
          "Make room at home or in the ledger directory, lower the retention, or repair what the"
              + " reason names.");

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
          "Files that no link names take room longer than 7 days.",
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

  public static final EventCode BEANS_MISSING =
      new EventCode(
          "HP0508",
          WARN,
          "not all JMX beans could be registered or removed: {reason}",
          "A second store in this process, or another program's beans, have their names. Segments"
              + " aren't affected.",
          "Run one store in each process.");

  public static final EventCode BACKGROUND_FAILED =
      new EventCode(
          "HP0509",
          ERROR,
          "{thread}: its work ended with an error and is tried again; {count} such failures since"
              + " the start",
          "What the thread does in the background (migration, giving space back, the clock, growing"
              + " files ahead, a spare journal, metrics) came later or was left out. The thread goes on. Said once a"
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

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      List.of(
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
          BEANS_MISSING,
          BACKGROUND_FAILED,
          STOP_FAILED);

  private BackgroundCodes() {}
}
