// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.util.List;

/**
 * The findings when records are read back and compared by content. Those of one kind add up.
 *
 * @param <F> their kind
 */
public interface Findings<F extends Findings<F>> {
  /** Acknowledged records that were read back with every byte as sent. */
  long verified();

  /** True if every acknowledged record that must be there is there and whole. */
  boolean clean();

  /** The first of them, in words. */
  List<String> examples();

  /** Both together. */
  F plus(F other);
}
