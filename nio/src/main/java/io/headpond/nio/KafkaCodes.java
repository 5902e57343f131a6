// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.store.event.EventCode;
import java.util.List;

/** Event codes about Kafka's handling of its segments (HP06). */
public final class KafkaCodes {
  static final EventCode WRITTEN_AROUND =
      new EventCode(
          "HP0602",
          WARN,
          "{segment} was written around Headpond, as Kafka does with preallocate=true; it stays home,"
              + " in no faster tier ({count} such segments so far)",
          "Said for the 1st, 10th, 100th such segment and so on.",
          "Set preallocate=false for the topic, and log.preallocate=false for the broker.");

  static final EventCode ELSEWHERE =
      new EventCode(
          "HP0603",
          WARN,
          "{segment} is written, but {file} names other log directories ({log directories}), and"
              + " none of them is in use: nothing lies in a faster tier",
          "Everything works, at the speed of the log directories' own disks. The broker was given"
              + " its log directories by another file, an --override, or a variable.",
          "Name the broker's own file by -javaagent, or its log directories by headpond.log.dirs.");

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL = List.of(WRITTEN_AROUND, ELSEWHERE);

  private KafkaCodes() {}
}
