// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Map;

/**
 * The findings of a campaign of power cuts so far.
 *
 * @param seed records, settings and moments follow from it
 * @param cuts of the power
 * @param instants whose disks were compared without a reboot, besides the cuts
 * @param losses of disks and memory that forget, at all cuts and instants
 * @param moments how many of both came into the middle of what
 * @param acknowledged records that were acknowledged before the last cut and must be there
 * @param deleted records that were acknowledged, and then deleted or truncated by the load itself
 * @param verified of the acknowledged, found with every byte after the last cut
 * @param compared the same after each of the cuts, summed
 * @param lost acknowledged, and not there
 * @param corrupt there with other bytes, twice, or in a log whose end, order or links are wrong
 */
public record CutsReport(
    long seed,
    int cuts,
    int instants,
    Losses losses,
    Map<String, Integer> moments,
    long acknowledged,
    long deleted,
    long verified,
    long compared,
    long lost,
    long corrupt) {

  /** True if every acknowledged record is there and nothing is wrong. */
  public boolean clean() {
    return lost == 0 && corrupt == 0 && verified == acknowledged && verified > 0;
  }
}
