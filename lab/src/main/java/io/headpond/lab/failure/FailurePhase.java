// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import java.util.Locale;

/** The phases while messages are sent. */
public enum FailurePhase {
  /** Three nodes live. */
  BEFORE("with all three"),
  /** One is dead; of a broker nobody knows at first. */
  DEAD("while one is dead"),
  /** The node was started again, and isn't in sync yet. */
  RETURNING("while it comes back"),
  /** Three nodes do their share again. */
  AFTER("with three again");

  private final String title;

  FailurePhase(String title) {
    this.title = title;
  }

  /** Its name in results. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name in a table. */
  public String title() {
    return title;
  }
}
