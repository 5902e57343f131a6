// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.config.TierConfig;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The tiers' directories.
 *
 * @param list tier by tier, fastest first; no tier is empty
 */
public record Tiers(List<List<TierDirectory>> list) {

  /** Copies the list. */
  public Tiers {
    list = List.copyOf(list);
  }

  /** All directories. */
  public Stream<TierDirectory> all() {
    return list.stream().flatMap(List::stream);
  }

  /** The number of a directory's tier, counted from the fastest; home comes after the last. */
  public int level(final TierDirectory directory) {
    int level = 0;
    while (level < list.size() && !list.get(level).contains(directory)) {
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

  /** The tiers as they are configured. */
  public List<TierConfig> configs() {
    return list.stream().map(tier -> tier.get(0).tier).toList();
  }
}
