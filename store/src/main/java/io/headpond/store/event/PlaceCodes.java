// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static io.headpond.store.event.EventCode.SEE_CAUSE;
import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.REFUSED;
import static io.headpond.store.event.EventCode.Severity.WARN;

import java.util.List;

/** The codes of the segments' places, for an operator: tiers and log directories, HP03. */
public final class PlaceCodes {
  public static final EventCode PLACE_REFUSED =
      new EventCode(
          "HP0301",
          WARN,
          "{place}: {operation} failed; {consequence}",
          "A tier directory, a bookie's fast directory, or the disk of a log or ledger directory"
              + " refused something. Headpond goes on with another place, or with what it knew last."
              + " A tier directory whose device failed counts as failed (HP0314).",
          SEE_CAUSE);

  public static final EventCode EVACUATED =
      new EventCode(
          "HP0303",
          WARN,
          "{segment}: {reason}; its {size} were moved to {place} and it goes on there; appends to"
              + " it waited {time} ms",
          "The device of an active segment was full or failed. No acknowledged byte is affected."
              + " Said of the first segment, and when no further one was moved for a minute.",
          "{remedy}.");

  public static final EventCode HOME_LOW =
      new EventCode(
          "HP0305",
          ERROR,
          "{log directory}: only {size} are free, and headpond.home.reserve is {reserve}: nothing"
              + " more is moved or put there while a tier has room",
          "Without room for indexes and checkpoints Kafka stops the log directory.",
          "Make room, or lower the retention. If df shows more, raise the quota.");

  public static final EventCode SPACE_KEPT =
      new EventCode(
          "HP0307",
          WARN,
          "{segment}: giving back the space grown ahead failed; tried again later",
          "An idle segment takes more room in its tier than its data.",
          "If it comes again, look at the device (dmesg).");

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
          "{remedy}.");

  public static final EventCode TIER_FULL =
      new EventCode(
          "HP0313",
          WARN,
          "tier {tier}: is full: segments take {size} of its {size}",
          "New segments are created further down; one that is appended to is moved in the middle of"
              + " an append when it needs more. Said when 95 % are taken, and when they weren't for a"
              + " minute.",
          "{remedy}.");

  public static final EventCode TIER_FAILED =
      new EventCode(
          "HP0314",
          ERROR,
          "tier {tier}: {directory} counts as failed ({cause}); nothing new is put there, and what can"
              + " be read of its segments is moved out",
          "Its device refused something, or can't be asked. What can be read of it is brought to the"
              + " next place with room. What can't stays, and reading it fails; headpond status says"
              + " why.",
          "Look at the device (dmesg). Restart the engine when it works again, or was replaced.");

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

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      List.of(
          PLACE_REFUSED,
          EVACUATED,
          HOME_LOW,
          SPACE_KEPT,
          DEVICE_FAILED,
          NAME_UNCLEAR,
          OVERFLOW,
          TIER_FULL,
          TIER_FAILED,
          HOME_FULL,
          HOME_SPENT,
          BALLAST_MISSING);

  private PlaceCodes() {}
}
