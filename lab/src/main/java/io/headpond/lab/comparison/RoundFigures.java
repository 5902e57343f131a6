// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

/**
 * The figures of one variant under one load in one round.
 *
 * @param <L> load
 * @param <V> variant
 */
public interface RoundFigures<L, V> {
  /** The load that it was measured under. */
  L load();

  /** The round, from 1 on; variants are compared within one. */
  int round();

  /** The variant that was measured. */
  V variant();
}
