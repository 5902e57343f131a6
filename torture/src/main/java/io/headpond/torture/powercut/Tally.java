// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The counts of a campaign. One thread. */
final class Tally {
  private final long seed;
  int boots;
  int cuts;
  int instants;
  long verified;
  long compared;
  long lost;
  long corrupt;
  private Losses losses = Losses.NOTHING;

  /** Cuts and instants by what they came into the middle of. */
  private final Map<String, Integer> moments = new TreeMap<>();

  Tally(long seed) {
    this.seed = seed;
  }

  /** A copy of the counts of cuts and instants by what they came into the middle of. */
  Map<String, Integer> moments() {
    return new TreeMap<>(moments);
  }

  long seed() {
    return seed;
  }

  /**
   * The source of chance in a boot; follows from the seed and the boot's number. These are mixed
   * first: of seeds that follow each other a {@link Random} draws nearly the same number first.
   */
  Random chance() {
    return new Random(new SplittableRandom(seed * 1_000_003 + boots).nextLong());
  }

  /** The power was cut, in the middle of some things or of none, and caches were lost. */
  void cut(List<String> during, Losses lostThere) {
    cuts++;
    losses = losses.plus(lostThere);
    during.forEach(moment -> moments.merge(moment, 1, Integer::sum));
  }

  /** Counts the comparison of what a cut at an instant would have left. */
  void instant(
      List<String> during, Losses lostThere, long nowVerified, long nowLost, long nowCorrupt) {
    instants++;
    losses = losses.plus(lostThere);
    during.forEach(moment -> moments.merge(moment, 1, Integer::sum));
    compared += nowVerified;
    lost += nowLost;
    corrupt += nowCorrupt;
  }

  /** Counts the findings after a cut. */
  void found(long nowVerified, long nowLost, long nowCorrupt) {
    verified = nowVerified;
    compared += nowVerified;
    lost += nowLost;
    corrupt += nowCorrupt;
  }

  /**
   * The findings so far.
   *
   * @param acknowledged records that must be there
   * @param deleted records that the load itself has deleted
   */
  CutsReport report(long acknowledged, long deleted) {
    return new CutsReport(
        seed,
        cuts,
        instants,
        losses,
        moments(),
        acknowledged,
        deleted,
        verified,
        compared,
        lost,
        corrupt);
  }

  /** Nothing is gained by more cuts: the disks are evidence. */
  boolean bad() {
    return lost + corrupt > 0;
  }
}
