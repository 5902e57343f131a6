// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.migrate.RankOrder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The segments of a {@link Catalogue} that may move at one time, and the searches that a choice
 * makes among them, each in O(log n). Any thread.
 *
 * <p>A directory that is null is home; what is found is null if there is nothing.
 */
public final class MovableSegments {
  private final Catalogue catalogue;
  private final long nowNanos;
  private final Set<Path> without;
  private final RankOrder.Movable<CatalogueEntry> movable = new Movable();

  MovableSegments(final Catalogue catalogue, final long nowNanos, final Set<Path> without) {
    this.catalogue = catalogue;
    this.nowNanos = nowNanos;
    this.without = without;
  }

  /** Those that are in none of some log directories. */
  public MovableSegments without(final Set<Path> homes) {
    return new MovableSegments(catalogue, nowNanos, Set.copyOf(homes));
  }

  /** Asked under the catalogue's monitor. */
  private final class Movable implements RankOrder.Movable<CatalogueEntry> {
    @Override
    public boolean now(final CatalogueEntry entry) {
      return entry.mayMove(nowNanos) && !passedOver(entry);
    }

    @Override
    public boolean passedOver(final CatalogueEntry entry) {
      return without.contains(entry.partition().getParent()) || catalogue.isHeldUp(entry);
    }
  }

  /**
   * The coldest sealed one of a directory.
   *
   * @param spareBeforeMs what was last appended to before this will be deleted soon: it isn't worth
   *     a move
   */
  public SegmentCandidate coldest(final TierDirectory directory, final long spareBeforeMs) {
    return catalogue.find(ranks -> ranks.coldest(directory, spareBeforeMs, movable));
  }

  /** The coldest one of a directory that is still appended to. */
  public SegmentCandidate coldestActive(final TierDirectory directory) {
    return catalogue.find(ranks -> ranks.coldestActive(directory, movable));
  }

  /** One in a tier of a topic that stays home, sealed ones first. */
  public SegmentCandidate homeward(final TierDirectory directory) {
    return catalogue.keepsTopicsHome()
        ? catalogue.find(ranks -> ranks.homeward(directory, movable))
        : null;
  }

  /** Any one of a directory, pinned or not: active ones first, the hottest of them first. */
  public SegmentCandidate any(final TierDirectory directory) {
    return catalogue.find(ranks -> ranks.any(directory, movable));
  }

  /**
   * The hottest one of a directory, pinned or not, that is still appended to.
   *
   * @param of which partition directories
   */
  public SegmentCandidate anyActive(final TierDirectory directory, final Predicate<Path> of) {
    return catalogue.find(ranks -> ranks.anyActive(directory, of, movable));
  }

  /**
   * The hottest sealed one of some directories.
   *
   * @param directories null in it is home
   * @param bytesMax what there is room for
   */
  public SegmentCandidate hottest(
      final Collection<TierDirectory> directories, final long bytesMax) {
    return catalogue.find(ranks -> ranks.hottest(directories, bytesMax, movable));
  }
}
