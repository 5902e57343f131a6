// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A piece of a broker's upkeep that is measured. */
public enum Chore {
  /** A topic is deleted, until none of its files is left. */
  DELETE("a topic is deleted"),
  /**
   * A cold topic that was only appended to is compacted, until Kafka's cleaner has done all of it.
   */
  COMPACT("a topic that is in no page cache is compacted"),
  /** The broker is told to end (SIGTERM), its logs are dropped from memory, and it is started. */
  RESTART("the broker is restarted with a cold page cache"),
  /** The same with a broker that is killed (SIGKILL) while it is sent to. */
  CRASH("the broker is killed and comes back with a cold page cache");

  private final String text;

  Chore(String text) {
    this.text = text;
  }

  /** Its name on the command line and in results. */
  @JsonValue
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The chore of that name. */
  public static Chore of(String key) {
    for (Chore chore : values()) {
      if (chore.key().equals(key)) {
        return chore;
      }
    }
    throw new IllegalArgumentException("'" + key + "' is none of delete, compact, restart, crash");
  }

  /** True if the broker ends and is started again. */
  boolean restarts() {
    return this == RESTART || this == CRASH;
  }

  /** Description for tables. */
  String text() {
    return text;
  }
}
