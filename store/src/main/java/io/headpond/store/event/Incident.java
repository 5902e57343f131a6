// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.util.Locale;

/** The kinds of incidents that an operator may have to act on. */
public enum Incident {
  /** A new segment was created below its tier. */
  OVERFLOW,

  /** An active segment filled its device. */
  DEVICE_FULL,

  /** A device failed under an append. */
  DEVICE_FAULT,

  /** A tier directory refused a new file. */
  CREATE_FAILED,

  /** A move ended with an error. */
  MIGRATION_FAILED,

  /** There is nowhere to move to. */
  MIGRATION_BLOCKED,

  /** A log directory was left out. */
  HOME_REFUSED,

  /** A home is at its reserve. */
  HOME_LOW,

  /** A home is full. */
  HOME_FULL,

  /** A thread's work threw something that nobody expected. */
  BACKGROUND_FAILED;

  /** The kind in metrics. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
