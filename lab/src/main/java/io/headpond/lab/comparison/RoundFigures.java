// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

/**
 * What one variant did under one load in one round.
 *
 * @param <L> load
 * @param <V> variant
 */
public interface RoundFigures<L, V> {
  /** What it was measured under. */
  L load();

  /** From 1 on; variants are compared within a round. */
  int round();

  /** What was measured. */
  V variant();
}
