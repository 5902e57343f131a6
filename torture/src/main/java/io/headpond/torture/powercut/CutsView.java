// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/** The listener of a campaign of power cuts. */
public interface CutsView {

  /** A line that stays: what a boot has found and done. */
  void line(String text);

  /** The campaign does this now; called often. */
  void progress(String text);
}
