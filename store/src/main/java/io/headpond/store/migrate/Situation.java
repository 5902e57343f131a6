// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The values that a choice is made from, beside the segments.
 *
 * @param <D> a tier directory
 * @param tiers the directories of each tier, fastest first
 * @param homes the log directories
 * @param descents of each tier, fastest first
 * @param homecomingBytes of moves under way to any home
 * @param nowMs milliseconds since 1970
 * @param swapMargin as {@link MigrationPolicy#swapMargin}
 * @param deletedSoonBeforeMs what was last appended to before this the engine is about to delete
 * @param oldBeforeMs data of before this are old, or {@link Age#NOTHING_IS_OLD}
 */
public record Situation<D>(
    List<List<TierState<D>>> tiers,
    List<Descent> descents,
    Map<Path, HomeState> homes,
    long homecomingBytes,
    long nowMs,
    double swapMargin,
    long deletedSoonBeforeMs,
    long oldBeforeMs) {

  /**
   * The state of a log directory's own disk when it was looked at last.
   *
   * @param roomBytes what segments may still take
   * @param low is it at its reserve?
   */
  public record HomeState(long roomBytes, boolean low) {}

  boolean low(final Path home) {
    final HomeState state = homes.get(home);
    return state != null && state.low();
  }

  boolean anyLow() {
    return homes.values().stream().anyMatch(HomeState::low);
  }
}
