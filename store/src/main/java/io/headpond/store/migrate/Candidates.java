// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The segments that may move now, for one choice: the searches of a {@link RankOrder}. Each gives
 * null if there is none. An implementation asks no device.
 *
 * @param <D> a tier directory; null is home
 * @param <C> a segment
 */
public interface Candidates<D, C extends Candidate<D>> {
  /** The same without the segments of some log directories. */
  Candidates<D, C> without(Set<Path> homes);

  /** As {@link RankOrder#coldest}. */
  C coldest(D directory, long spareBeforeMs);

  /** As {@link RankOrder#coldestActive}. */
  C coldestActive(D directory);

  /** As {@link RankOrder#homeward}. */
  C homeward(D directory);

  /** As {@link RankOrder#any}. */
  C any(D directory);

  /**
   * As {@link RankOrder#anyActive}, at home.
   *
   * @param of which partition directories
   */
  C activeAtHome(Predicate<Path> of);

  /** As {@link RankOrder#hottest}. */
  C hottest(Collection<D> directories, long bytesMax);
}
