// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.Set;

/**
 * What the store does in several steps, any two of which a power cut may part. A place is a class,
 * or a method of one.
 */
enum Transition {
  /** The tiers become this process's. */
  CLAIM(
      "Claim",
      "TierIdentity",
      "HomeIdentity",
      "PropertiesFile",
      "TierLocks",
      "NameLook",
      "Shortage",
      "SyncMapProbe"),
  /** What no link names goes to quarantine, and is deleted there. */
  SWEEP("OrphanSweep", "Quarantine"),
  /** A new segment. */
  ROLL("Namespace", "SegmentLookup", "Placement", "TierDirectory"),
  /** The segment before it gets its end. */
  SEAL("Predecessors.seal", "Segment.sealIfIdle"),
  /** A segment begins below the tier where it belongs. */
  OVERFLOW("Placement.create"),
  /** New names and their directory become durable. */
  NAMES("NameForces"),
  /** The segments before a promised one become durable. */
  CHAIN("LogChain"),
  /** The next chunk is prepared while the one before is written to. */
  RUN_AHEAD("MappedFile.makeNext"),
  /** A file grows, on any thread. */
  GROWTH("FileGrowth", "ZeroFill"),
  /** Bytes of the engine. */
  APPEND(
      "SegmentAccess.writeAnywhere",
      "MappedFile",
      "WrittenWindow",
      "BackingFile",
      "MappedSegmentFile",
      "PlainSegmentFile"),
  /** The engine forces a segment. */
  FORCE("SegmentAccess.force", "SegmentFile"),
  /** Any force that an interrupt mustn't break off. */
  DEVICE_FORCE("UninterruptedForce"),
  /** A log's end goes back. */
  TRUNCATION("SegmentAccess.truncate"),
  /** The engine's names come and go. */
  RENAME("NameChanges", "TieredStore.delete", "TieredStore.move"),
  /** A segment is copied. */
  MOVE_COPY(
      "SegmentMigration.copy", "SegmentCopy", "SegmentMove.copyHome", "SegmentMove.copyIntoTier"),
  /** Its copy becomes the segment. */
  MOVE_SWITCH(
      "SegmentSwitch", "SegmentMove.publish", "SegmentMove.publishOrDiscard", "SegmentMove.linkTo"),
  /** A copy that came too late goes. */
  MOVE_DISCARD("SegmentMigration.discard", "SegmentMove.discard"),
  /** A device is full in the middle of an append. */
  EVACUATION("Evacuation", "Relocation"),
  /** What was dropped goes, after its name. */
  RECLAIM("Reclaimer"),
  /** A file is prepared for a fast log's next segment. */
  POOL("FilePool"),
  /** A file is made for the next roll. */
  SPARE("SpareFiles"),
  /** The counters that other processes read. */
  LIVE_COUNTERS("LiveCounters"),
  /** Room at home is kept for the engine's index, and given back. */
  BALLAST("Ballast"),
  /** What the engine writes at home besides segments. */
  HOME_FILE("ForwardingChannel");

  private final Set<String> places;

  Transition(final String... places) {
    this.places = Set.of(places);
  }

  /** Is a method, as {@link ProductCalls#place} names it, a step of it? */
  boolean has(final String place) {
    final String type = place.substring(0, place.lastIndexOf('.'));
    return places.contains(place) || places.contains(type);
  }
}
