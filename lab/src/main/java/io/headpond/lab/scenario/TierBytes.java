// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

/**
 * Bytes that were appended or read.
 *
 * @param inTier in the fast tier
 * @param elsewhere in slower ones, and at home
 */
public record TierBytes(long inTier, long elsewhere) {

  /** The bytes since {@code start}. */
  TierBytes since(TierBytes start) {
    return new TierBytes(inTier - start.inTier, elsewhere - start.elsewhere);
  }

  /** The fast tier's share, 0 to 1; NaN if there were none. */
  double share() {
    return inTier + elsewhere == 0 ? Double.NaN : inTier / (double) (inTier + elsewhere);
  }
}
