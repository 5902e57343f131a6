// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.store.event.EventCode;
import java.util.List;

/** Event codes about Kafka's handling of its segments (HP06). */
public final class KafkaCodes {
  static final EventCode PREALLOCATED =
      new EventCode(
          "HP0601",
          WARN,
          "{file}: log.preallocate=true makes Kafka create its segments around Headpond: they stay"
              + " plain files in the log directory, in no faster tier",
          "Everything works, at the speed of the log directory's own disk.",
          "Set log.preallocate=false.");

  static final EventCode WRITTEN_AROUND =
      new EventCode(
          "HP0602",
          WARN,
          "{segment} was written around Headpond, as Kafka does for a topic with preallocate=true;"
              + " it stays home, in no faster tier ({count} such segments so far)",
          "Said for the 1st, 10th, 100th such segment and so on.",
          "Set preallocate=false for the topic.");

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL = List.of(PREALLOCATED, WRITTEN_AROUND);

  private KafkaCodes() {}
}
