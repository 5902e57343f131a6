// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/** Where a campaign of power cuts tells how it goes. */
public interface CutsView {

  /** A line that stays: what a boot has found and done. */
  void line(String text);

  /** What goes on now; called often. */
  void progress(String text);
}
