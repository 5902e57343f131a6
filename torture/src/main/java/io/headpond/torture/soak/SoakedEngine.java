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

  /** As {@code --engine} takes it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
