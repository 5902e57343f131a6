// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/**
 * The finding of a campaign's control, in which nothing is forced.
 *
 * @param acknowledged records
 * @param lost of these
 */
record ControlFinding(long acknowledged, long lost) {

  static ControlFinding of(CutsReport control) {
    return new ControlFinding(control.acknowledged(), control.lost());
  }

  /** Of both. */
  ControlFinding and(ControlFinding other) {
    return new ControlFinding(acknowledged + other.acknowledged, lost + other.lost);
  }
}
