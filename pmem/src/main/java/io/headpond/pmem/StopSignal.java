// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/** Asked between two slices of a long piece of background work. */
interface StopSignal {
  /** For work that has to be done to its end. */
  StopSignal NEVER = () -> false;

  /** True when the work should end at the next slice. */
  boolean stopped();
}
