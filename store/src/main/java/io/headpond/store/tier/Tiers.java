// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.config.TierConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The tiers' directories, tier by tier, fastest first. An operator's change replaces the whole
 * list; who needs one picture of it takes the list once. Any thread.
 */
public final class Tiers {
  private volatile List<List<TierDirectory>> now;

  public Tiers(final List<List<TierDirectory>> first) {
    now = first;
  }

  /** The present list, which never changes. No tier is empty. */
  public List<List<TierDirectory>> now() {
    return now;
  }

  /** All directories. */
  public Stream<TierDirectory> all() {
    return now.stream().flatMap(List::stream);
  }

  /** The directories of a tier; none if there is no such tier. */
  public List<TierDirectory> named(final String name) {
    return now.stream()
        .filter(tier -> tier.get(0).tier.name().equals(name))
        .findFirst()
        .orElse(List.of());
  }

  /** The number of a directory's tier, counted from the fastest; home comes after the last. */
  public int level(final TierDirectory directory) {
    final List<List<TierDirectory>> present = now;
    int level = 0;
    while (level < present.size() && !present.get(level).contains(directory)) {
      level++;
    }
    return level;
  }

  /** The emptiest directory of a tier; null if none has that much room. */
  public static TierDirectory emptiest(final List<TierDirectory> tier, final long bytes) {
    return emptiest(tier, directory -> bytes);
  }

  /** The emptiest directory of a tier that has the room it is asked for; null: none has. */
  public static TierDirectory emptiest(
      final List<TierDirectory> tier, final ToLongFunction<TierDirectory> wantedBytes) {
    TierDirectory best = null;
    long bestRoom = -1;
    for (final TierDirectory directory : tier) {
      final long room = directory.roomBytes();
      if (room > bestRoom && room >= wantedBytes.applyAsLong(directory)) {
        best = directory;
        bestRoom = room;
      }
    }
    return best;
  }

  /** The tiers' names, fastest first. */
  public List<String> names() {
    return now.stream().map(tier -> tier.get(0).tier.name()).toList();
  }

  /** The same, as they are configured. */
  public List<TierConfig> configs() {
    return now.stream().map(tier -> tier.get(0).tier).toList();
  }

  /** Adds a tier before the one that stands at a place now, or last. */
  public synchronized void add(final int at, final List<TierDirectory> directories) {
    final List<List<TierDirectory>> next = new ArrayList<>(now);
    next.add(at, List.copyOf(directories));
    now = List.copyOf(next);
  }

  /**
   * Puts other directories in the place of one.
   *
   * @param others none: it just goes, and its tier has another one
   */
  public synchronized void replace(final TierDirectory one, final TierDirectory... others) {
    final List<List<TierDirectory>> next = new ArrayList<>();
    for (final List<TierDirectory> tier : now) {
      final List<TierDirectory> directories = new ArrayList<>(tier);
      final int at = directories.indexOf(one);
      if (at >= 0) {
        directories.remove(at);
        directories.addAll(at, List.of(others));
      }
      next.add(List.copyOf(directories));
    }
    now = List.copyOf(next);
  }
}
