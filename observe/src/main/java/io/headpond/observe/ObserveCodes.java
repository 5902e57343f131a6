// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static io.headpond.store.event.EventCode.NOTHING_TO_DO;
import static io.headpond.store.event.EventCode.Severity.ERROR;
import static io.headpond.store.event.EventCode.Severity.WARN;

import io.headpond.store.event.EventCode;
import java.util.List;

/** The codes of metrics and the live page. Segments are never affected. */
public final class ObserveCodes {
  private static final String REPORT = "Report it with its stack trace if it comes again.";

  static final EventCode NO_JMX =
      new EventCode(
          "HP0902",
          WARN,
          "this Java has no module java.management: no JMX beans ({reason})",
          "The live page and /metrics are not affected.",
          "Use a Java with that module if beans are wanted.");

  static final EventCode PORT_REFUSED =
      new EventCode(
          "HP0903",
          ERROR,
          "{file}: headpond.http.port={value}, headpond.http.bind={value}: {reason}; the engine goes"
              + " on without live page and /metrics",
          "The port is taken, or the address isn't one of this machine's.",
          "Free the port or set another, and start again.");

  static final EventCode NOT_TAKEN_AWAY =
      new EventCode(
          "HP0904",
          WARN,
          "beans or port can't be taken away",
          "The store was closed; its last figures may stay visible until the process ends.",
          NOTHING_TO_DO);

  static final EventCode PORT_HELD_UP =
      new EventCode(
          "HP0905",
          WARN,
          "the HTTP listener failed; retrying",
          "The live page and /metrics don't answer meanwhile. Most likely there are no file"
              + " descriptors left, which the engine needs too.",
          "See the cause; raise the limit of open files (LimitNOFILE).");

  static final EventCode REQUEST_FAILED =
      new EventCode(
          "HP0906",
          WARN,
          "a request to the HTTP port failed",
          "Its connection was closed.",
          REPORT);

  static final EventCode BEANS_MISSING =
      new EventCode(
          "HP0907",
          WARN,
          "not all JMX beans could be registered: {reason}",
          "A second store in this process, or somebody else's beans, have their names.",
          "Use /metrics, or one store for each process.");

  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      List.of(NO_JMX, PORT_REFUSED, NOT_TAKEN_AWAY, PORT_HELD_UP, REQUEST_FAILED, BEANS_MISSING);

  private ObserveCodes() {}
}
