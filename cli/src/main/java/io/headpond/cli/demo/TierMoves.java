// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.logdir.OwnerLives;
import io.headpond.store.facts.Count;

/**
 * The plug-in's moves over all lives of the broker, as far as seen; see {@link OwnerLives}.
 *
 * @param downSegments moved to home while the broker ran
 * @param downBytes of these
 * @param upSegments moved to the fast tier while the broker ran
 * @param upBytes of these
 * @param overflowSegments opened at home, or moved there in the middle, because the fast tier had
 *     no room
 * @param running whether a segment is being moved now
 */
record TierMoves(
    long downSegments,
    long downBytes,
    long upSegments,
    long upBytes,
    long overflowSegments,
    boolean running) {

  static TierMoves of(OwnerLives lives) {
    return new TierMoves(
        lives.sum(Count.DOWN_SEGMENTS),
        lives.sum(Count.DOWN_BYTES),
        lives.sum(Count.UP_SEGMENTS),
        lives.sum(Count.UP_BYTES),
        lives.sum(Count.OVERFLOW_SEGMENTS) + lives.sum(Count.EVACUATED_SEGMENTS),
        lives.latest().map(counters -> counters.get("migration.running") > 0).orElse(false));
  }

  /** Bytes in both directions. */
  long bytes() {
    return downBytes + upBytes;
  }
}
