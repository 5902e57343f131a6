// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * The result of {@link MigrationRules#next}.
 *
 * @param <D> a tier directory
 * @param <C> a segment
 * @param move the next move; null: there is none
 * @param undated the segment whose {@link Age} has to be settled before one can come up; null: none
 * @param blocked the segment that should leave its tier directory, and finds no room; null: none.
 *     Judged only if nothing can leave
 */
public record Choice<D, C extends Candidate<D>>(Move<D, C> move, C undated, C blocked) {
  /**
   * One move.
   *
   * @param to null: home
   * @param down does it lead to a slower place?
   */
  public record Move<D, C extends Candidate<D>>(C segment, D to, boolean down, MoveReason reason) {}
}
