// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/** The reason why a segment isn't moved. */
public enum StayReason {
  /** The policy keeps it up. */
  PINNED_UP,

  /** The policy keeps it out of the tiers. */
  PINNED_HOME,

  /** It should leave its tier directory, and nothing below has room. */
  NO_ROOM_BELOW,

  /** It was written before Headpond came to its log directory. */
  EXISTING,

  /** It is appended to. */
  ACTIVE,

  /** Migration leaves its tier alone. */
  NO_MIGRATION,

  /** Its tier directory isn't above the threshold. */
  BELOW_THRESHOLD,

  /** The engine is about to delete it. */
  DELETED_SOON,

  /** It is enough that colder ones leave. */
  COLDER_ONES_FIRST,

  /** The policy wants it in no tier any longer. */
  TOO_OLD,

  /** No tier takes segments up. */
  NO_TIER,

  /** Hotter ones take the room above. */
  HOTTER_ONES_FIRST,

  /** No tier above has room for it. */
  TIER_FULL
}
