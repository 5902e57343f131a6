// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/** The reason of a move. */
public enum MoveReason {
  /** Its tier directory's device failed. */
  TIER_FAILED(true),

  /** Its tier is to be empty. */
  TIER_DRAINING(true),

  /** Its topic stays home. */
  HOME_ONLY(true),

  /** Its tier directory is above the threshold. */
  ABOVE_THRESHOLD(true),

  /** The policy keeps it out of the tiers. */
  PINNED_HOME(true),

  /** The policy lets it be no longer in the tier. */
  TOO_OLD(true),

  /** A hotter one below needs its room. */
  HOTTER_BELOW(true),

  /** Its home is at the reserve. */
  HOME_LOW(false),

  /** A faster tier has room. */
  ROOM_ABOVE(false);

  private final boolean leaving;

  MoveReason(final boolean leaving) {
    this.leaving = leaving;
  }

  /** True if it leaves for want of room, and not because of what it is. */
  public boolean wantOfRoom() {
    return this == TIER_FAILED || this == TIER_DRAINING || this == ABOVE_THRESHOLD;
  }

  /** True if the segment must leave a tier directory. */
  public boolean leaving() {
    return leaving;
  }
}
