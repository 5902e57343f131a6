// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.util.Locale;

/** The kinds of incidents that an operator may have to act on. */
public enum Incident {
  /** A new segment was created below its tier. */
  OVERFLOW(
      "a new segment was created below the tier where it belongs, which had no room for it or had"
          + " failed"),

  /** An active segment filled its device. */
  DEVICE_FULL("a segment was moved in the middle of an append, because its device was full"),

  /** A device failed under an append. */
  DEVICE_FAULT("a segment was moved in the middle of an append, because its device failed"),

  /** A tier directory refused a new file. */
  CREATE_FAILED("a tier directory didn't take a new segment's file"),

  /** A move ended with an error. */
  MIGRATION_FAILED("a move ended with an error; the segment stayed where it was"),

  /** There is nowhere to move to. */
  MIGRATION_BLOCKED("a tier is above its threshold, and there is no room below it"),

  /** A log directory was left out. */
  HOME_REFUSED(
      "a log directory was left out, because it can't be read or its segments are missing"),

  /** A home is at its reserve. */
  HOME_LOW("a log directory's own disk has no more free than headpond.home.reserve"),

  /** A home is full. */
  HOME_FULL("a log directory's own disk was full, and a part of its ballast was given back"),

  /** An operator changed the tiers. */
  TIER_CHANGED("a tier was taken out, added or taken back, as an operator asked"),

  /** A thread's work threw something that nobody expected. */
  BACKGROUND_FAILED("work in the background ended with an error; it is tried again");

  private final String meaning;

  Incident(final String meaning) {
    this.meaning = meaning;
  }

  /** As metrics and pages call it. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Half a sentence. */
  public String meaning() {
    return meaning;
  }
}
