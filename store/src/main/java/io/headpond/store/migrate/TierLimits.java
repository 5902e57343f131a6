// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * The limits of a tier directory that migration steers by. Between the threshold and {@link #BAND}
 * of the capacity below it nothing moves, in either direction: what came up must be outlived by at
 * least that much of new data before it goes down again for want of room.
 *
 * @param capacityBytes what Headpond may use in the directory
 * @param threshold the share of it that migration steers to; negative: it leaves the directory
 *     alone, and nothing else here means anything
 */
public record TierLimits(long capacityBytes, double threshold) {
  /** Of the capacity. */
  private static final double BAND = 0.05;

  /** Beyond the threshold by this share of what is above it, active segments move too. */
  private static final double PRESSURE = 0.5;

  /** From this share of the capacity on, migration doesn't yield to appends. */
  private static final double URGENT = 0.9;

  /** Above this segments go down; negative: migration leaves the directory alone. */
  public long thresholdBytes() {
    return threshold < 0 ? -1 : (long) (threshold * capacityBytes);
  }

  /** Above this also those go down that are appended to, or will be deleted soon. */
  public double pressureBytes() {
    return thresholdBytes() + PRESSURE * (capacityBytes - thresholdBytes());
  }

  /** Above this a new segment may soon not find room. */
  public double urgentBytes() {
    return Math.min(pressureBytes(), URGENT * capacityBytes);
  }

  /** Up to this segments come up. */
  public long bandBytes() {
    return thresholdBytes() - (long) (BAND * capacityBytes);
  }
}
