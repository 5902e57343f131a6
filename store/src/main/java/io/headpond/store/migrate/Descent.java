// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * The way down out of a tier, which holds up what would come up into it: one segment must not make
 * room for another that is the next to go again.
 */
public enum Descent {
  /** A segment is on its way down: nothing comes up. */
  UNDER_WAY,

  /**
   * One had to leave for want of room not long ago: only what is to stay longer than the coldest
   * segment there comes up.
   */
  LATELY,

  /** Nothing is held up. */
  NONE
}
