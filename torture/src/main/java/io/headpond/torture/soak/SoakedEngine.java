// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.util.Locale;

/** The engines that can be soaked. */
enum SoakedEngine {
  /** An unmodified Kafka broker with two tiers. */
  KAFKA,

  /** An unmodified bookie, its journal and new entry logs on the fast device. */
  BOOKIE,

  /** The same, and a Pulsar broker that writes to it. */
  PULSAR;

  /** Its server in words. */
  String server() {
    return this == KAFKA ? "the broker" : "the bookie";
  }

  /** The server without Headpond, in words. */
  String vanilla() {
    return this == KAFKA ? "vanilla Kafka" : "the unmodified bookie";
  }

  /** The word for what is written. */
  String records() {
    return this == KAFKA ? "records" : "entries";
  }

  /** As {@code --engine} takes it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
