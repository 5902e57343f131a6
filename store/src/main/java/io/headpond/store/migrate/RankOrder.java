// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The segments of each place in the order of their ranks, and the searches that a choice makes in
 * it, each in O(log n). Not safe for threads.
 *
 * @param <D> a tier directory; null is home
 * @param <E> a segment
 */
public final class RankOrder<D, E extends RankedSegment<D>> {
  /** Maximum segments examined in one place per search for the hottest. */
  private static final int LOOKED_AT_MAX = 64;

  /** The segments that may move now. */
  @FunctionalInterface
  public interface Movable<E> {
    /** True if it may move now. */
    boolean now(E segment);

    /** True if nothing of its log directory may move now. */
    default boolean passedOver(final E segment) {
      return false;
    }
  }

  private final Predicate<E> homeOnly;
  private final Map<D, NavigableSet<E>> sealed = new HashMap<>();
  private final Map<D, NavigableSet<E>> active = new HashMap<>();

  /** Sealed ones at home that come up only when asked: in no search, however many they are. */
  private final NavigableSet<E> existing = new TreeSet<>(RankOrder::byRank);

  /**
   * An empty order.
   *
   * @param homeOnly does the segment belong to a topic that stays home?
   */
  public RankOrder(final Predicate<E> homeOnly) {
    this.homeOnly = homeOnly;
  }

  /** Of equal ranks, pinned topics have no others, the one last appended to is the hottest. */
  private static <D> int byRank(final RankedSegment<D> a, final RankedSegment<D> b) {
    int order = Double.compare(a.rank(), b.rank());
    order = order != 0 ? order : Long.compare(a.lastAppendMs(), b.lastAppendMs());
    order = order != 0 ? order : a.partition().compareTo(b.partition());
    return order != 0 ? order : a.fileName().compareTo(b.fileName());
  }

  /** Adds a segment by what it tells of itself now. */
  public void add(final E segment) {
    if (stays(segment)) {
      existing.add(segment);
      return;
    }
    final Comparator<E> order = RankOrder::byRank;
    (segment.active() ? active : sealed)
        .computeIfAbsent(segment.directory(), directory -> new TreeSet<>(order))
        .add(segment);
  }

  private boolean stays(final E segment) {
    return segment.existing()
        && !segment.active()
        && segment.directory() == null
        && segment.rank() != MigrationPolicy.ALWAYS_UP;
  }

  /** Takes a segment out, before it changes. */
  public void remove(final E segment) {
    if (stays(segment)) {
      existing.remove(segment);
      return;
    }
    final NavigableSet<E> order = (segment.active() ? active : sealed).get(segment.directory());
    if (order != null) {
      order.remove(segment);
    }
  }

  /** The number of sealed, or of active, segments of a place. */
  public int size(final D directory, final boolean isActive) {
    final int resting = directory == null && !isActive ? existing.size() : 0;
    return resting + in(isActive ? active : sealed, directory).size();
  }

  /** The segments of a tier directory that somebody asks for, active ones first. */
  public List<E> of(final D directory, final Predicate<E> asked) {
    return Stream.of(active, sealed)
        .flatMap(order -> in(order, directory).stream())
        .filter(asked)
        .toList();
  }

  private static <D, E> NavigableSet<E> in(final Map<D, NavigableSet<E>> order, final D directory) {
    final NavigableSet<E> found = order.get(directory);
    return found == null ? Collections.emptyNavigableSet() : found;
  }

  /**
   * The coldest sealed segment of a place that isn't pinned there; null: there is none.
   *
   * @param spareBeforeMs what was last appended to before this will be deleted soon: it isn't worth
   *     a move
   */
  public E coldest(final D directory, final long spareBeforeMs, final Movable<E> movable) {
    return coldest(in(sealed, directory), spareBeforeMs, movable);
  }

  /** The coldest one that is still appended to and isn't pinned there; null: there is none. */
  public E coldestActive(final D directory, final Movable<E> movable) {
    return coldest(in(active, directory), Long.MIN_VALUE, movable);
  }

  private E coldest(
      final NavigableSet<E> segments, final long spareBeforeMs, final Movable<E> movable) {
    for (final E segment : segments) {
      if (segment.rank() == MigrationPolicy.ALWAYS_UP) {
        return null;
      }
      if (movable.now(segment) && segment.lastAppendMs() >= spareBeforeMs) {
        return segment;
      }
    }
    return null;
  }

  /** A segment of a topic that stays home, sealed ones first; null: there is none. */
  public E homeward(final D directory, final Movable<E> movable) {
    final E first = homeward(in(sealed, directory), movable);
    return first != null ? first : homeward(in(active, directory), movable);
  }

  private E homeward(final NavigableSet<E> segments, final Movable<E> movable) {
    for (final E segment : segments) {
      if (segment.rank() != MigrationPolicy.NEVER_UP) {
        return null;
      }
      if (homeOnly.test(segment) && movable.now(segment)) {
        return segment;
      }
    }
    return null;
  }

  /** Any segment of a place, pinned or not: active ones first, the hottest of them first. */
  public E any(final D directory, final Movable<E> movable) {
    final E growing = anyActive(directory, partition -> true, movable);
    return growing != null ? growing : hottest(in(sealed, directory), of -> true, movable);
  }

  /**
   * The hottest segment of a place, pinned or not, that is still appended to; null: there is none.
   *
   * @param of which partition directories
   */
  public E anyActive(final D directory, final Predicate<Path> of, final Movable<E> movable) {
    return hottest(in(active, directory), of, movable);
  }

  private E hottest(
      final NavigableSet<E> segments, final Predicate<Path> of, final Movable<E> movable) {
    for (final E segment : segments.descendingSet()) {
      if (movable.now(segment) && of.test(segment.partition())) {
        return segment;
      }
    }
    return null;
  }

  /**
   * The hottest sealed segment of some places that may come up; null: there is none.
   *
   * @param bytesMax what there is room for
   */
  public E hottest(final Collection<D> directories, final long bytesMax, final Movable<E> movable) {
    E best = null;
    for (final D directory : directories) {
      final E found = hottest(in(sealed, directory), best, bytesMax, movable);
      best = found == null ? best : found;
    }
    return best;
  }

  /** The hottest of one place, if it is hotter than the best so far. */
  private E hottest(
      final NavigableSet<E> segments, final E best, final long bytesMax, final Movable<E> movable) {
    int looked = 0;
    for (final E segment : segments.descendingSet()) {
      if (segment.rank() == MigrationPolicy.NEVER_UP
          || best != null && segment.rank() <= best.rank()
          || !movable.passedOver(segment) && ++looked > LOOKED_AT_MAX) {
        return null;
      }
      if (segment.bytes() <= bytesMax && movable.now(segment)) {
        return segment;
      }
    }
    return null;
  }
}
