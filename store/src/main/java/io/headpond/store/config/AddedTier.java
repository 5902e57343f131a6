// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A tier that an operator has written into the configuration file since a store started by it. The
 * rest of the file must still be right for that store, or its next start would be another one.
 *
 * @param tier as the file has it
 * @param place its index among the tiers that the store has; their number: behind them all
 */
public record AddedTier(TierConfig tier, int place) {
  /**
   * Finds it. Reads the file again, and asks the file system for real paths.
   *
   * @param start the configuration that the store started with
   * @param present all tiers that the store has had since, in their order
   * @param used those that it uses
   * @param name of none of them
   * @throws ConfigException if the file can't be read, or isn't such a one
   */
  public static AddedTier of(
      final StoreConfig start,
      final List<TierConfig> present,
      final List<TierConfig> used,
      final String name)
      throws ConfigException {
    final StoreConfig now = start.again();
    final List<String> names = names(now.tiers());
    if (!names.contains(name)) {
      throw refusal(
          start,
          ConfigKey.TIERS,
          "the broker has no tier '"
              + name
              + "', and the file names none"
              + nearest(name, names(present))
              + "; write it and its keys headpond.tier."
              + name
              + ".* there first");
    }
    refuseChanges(start, now, used);
    final TierConfig tier = now.tiers().get(names.indexOf(name));
    refuseKnownPaths(start, tier, present);
    if (present.size() >= StoreConfig.TIERS_MAX) {
      throw refusal(start, ConfigKey.TIERS, "too many tiers since the broker's start; restart it");
    }
    final List<String> later = names.subList(names.indexOf(name) + 1, names.size());
    int place = 0;
    while (place < present.size() && !later.contains(present.get(place).name())) {
      place++;
    }
    return new AddedTier(tier, place);
  }

  private static List<String> names(final List<TierConfig> tiers) {
    return tiers.stream().map(TierConfig::name).toList();
  }

  private static String nearest(final String name, final List<String> known) {
    final Optional<String> nearest = NearestKey.of(name, known);
    return nearest.map(meant -> "; did you mean " + meant + "?").orElse("");
  }

  /** Refuses what would make the next start another one than the one that runs. */
  private static void refuseChanges(
      final StoreConfig start, final StoreConfig now, final List<TierConfig> used)
      throws ConfigException {
    if (!now.logDirs().equals(start.logDirs())) {
      throw refusal(
          start,
          ConfigKey.LOG_DIRS,
          "other log directories than at the broker's start; restart it");
    }
    final List<TierConfig> kept =
        now.tiers().stream().filter(tier -> names(used).contains(tier.name())).toList();
    if (!names(kept).equals(names(used))) {
      throw refusal(
          start,
          ConfigKey.TIERS,
          "the broker uses " + String.join(", ", names(used)) + ": keep them all, in this order");
    }
    for (int i = 0; i < kept.size(); i++) {
      if (!kept.get(i).paths().equals(used.get(i).paths())) {
        throw refusal(
            start,
            ConfigKey.TIER_PATHS.of(kept.get(i).name()),
            "other directories than at the broker's start; restart it");
      }
    }
  }

  /** Those that are used are in the same file, which refuses to name a directory twice. */
  private static void refuseKnownPaths(
      final StoreConfig start, final TierConfig tier, final List<TierConfig> present)
      throws ConfigException {
    for (final TierConfig other : present) {
      for (final Path known : other.paths()) {
        if (tier.paths().stream()
            .anyMatch(path -> path.startsWith(known) || known.startsWith(path))) {
          throw refusal(
              start,
              ConfigKey.TIER_PATHS.of(tier.name()),
              known
                  + " was that of tier "
                  + other.name()
                  + " at the broker's start: take that one back, or restart the broker");
        }
      }
    }
  }

  private static ConfigException refusal(
      final StoreConfig start, final ConfigKey<?> key, final String why) {
    return new ConfigException(start.source(), key.name(), why);
  }
}
