// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.util.Locale;

/** A measure of one broker; a phase each. */
enum KafkaMeasure {
  /** Produce latency at a fixed rate. */
  LATENCY,
  /** The same with small segments, so that many records meet a roll. */
  ROLL,
  /** Produce throughput as fast as the broker acknowledges. */
  PRODUCE,
  /** Consume throughput of what {@link #PRODUCE} has written, from the page cache. */
  CONSUME;

  /** Its name on the command line and in results. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
