// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * Ranks segments: what has the highest rank belongs in the fastest tier.
 *
 * <p>A policy is asked when something about a segment changes (it was sealed, read, moved), never
 * for all segments at once, so that a choice among 100,000 stays a look at the end of an ordered
 * set. Hence a rank must not depend on the present time; see {@link SegmentFacts#readBytesLog2} for
 * how decay is put.
 *
 * <p>To write one: implement this interface with a public constructor without arguments or one that
 * takes {@link PolicySettings}, put the jar on the engine's class path, and name the class in
 * {@code headpond.migrate.policy}.
 *
 * <p><b>Threads.</b> Any thread calls it, one at a time, under a lock that appends wait for: it
 * must be quick, and do no I/O.
 *
 * <p><b>Errors.</b> The first {@link RuntimeException} or {@link LinkageError} of a policy is
 * logged (HP0404). A segment for which it throws one ranks as 0, goes down at no time of its own,
 * and takes no other's place.
 */
public interface MigrationPolicy {
  /** The rank of what must not leave the fast tiers while their device works. */
  double ALWAYS_UP = Double.POSITIVE_INFINITY;

  /** The rank of what doesn't belong in a tier above home: it is created at home. */
  double NEVER_UP = Double.NEGATIVE_INFINITY;

  /**
   * The segment's rank; higher is hotter. Its unit is the policy's own: ranks are only compared
   * with one another, and with {@link #swapMargin}. Not a number counts as 0.
   */
  double rank(SegmentFacts segment);

  /**
   * From when on the segment is to go down whatever room there is, in milliseconds since 1970. It
   * is only asked of the coldest segment of a tier: it should grow with the rank.
   */
  default long downAtMs(final SegmentFacts segment) {
    return Long.MAX_VALUE;
  }

  /**
   * The difference in {@link #rank} by which a segment below a full tier must be hotter than that
   * tier's coldest to take its place. Infinite: segments come up only where there is room.
   */
  default double swapMargin() {
    return Double.POSITIVE_INFINITY;
  }
}
