// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

/**
 * The figures of a tight tier under one {@link Point}.
 *
 * @param appendedShare of the appended bytes, 0 to 1, in the fast tier; NaN: nothing was appended
 * @param readShare likewise of those that were read
 * @param migratedPerSecond bytes moved between the tiers a second, in both directions
 */
public record TierFigures(double appendedShare, double readShare, double migratedPerSecond) {

  /** The figures between two looks. */
  static TierFigures between(TierState before, TierState after, double seconds) {
    return new TierFigures(
        after.appended().since(before.appended()).share(),
        after.read().since(before.read()).share(),
        (after.migratedBytes() - before.migratedBytes()) / seconds);
  }
}
