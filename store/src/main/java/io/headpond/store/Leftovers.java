// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.claim.TierCheck;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The files that keep a tier from being empty although migration knows of no segment there. Asks
 * the tier's devices. One thread.
 */
final class Leftovers {
  private final SpareFiles spares;
  private final Set<String> homes;

  /**
   * Those of a store.
   *
   * @param homes of the log directories that it owns
   */
  Leftovers(final SpareFiles spares, final Set<UUID> homes) {
    this.spares = spares;
    this.homes = homes.stream().map(UUID::toString).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Gives up what nobody needs.
   *
   * @return what is left, in words; empty if nothing is
   */
  String of(final List<TierDirectory> tier) throws IOException {
    for (final TierDirectory each : tier) {
      final String left = of(each, tier);
      if (!left.isEmpty()) {
        return left;
      }
    }
    return "";
  }

  private String of(final TierDirectory directory, final List<TierDirectory> tier)
      throws IOException {
    spares.discardIn(directory);
    if (directory.space.pool() != null) {
      directory.space.pool().shrinkTo(0);
    }
    if (directory.arrives()) {
      return directory.ref.path() + ": a file is being made there";
    }
    final Set<Path> files = TierCheck.files(directory.ref.path());
    tier.forEach(each -> files.removeAll(each.undeleted())); // which won't go before it does
    final long ours =
        files.stream()
            .filter(file -> homes.contains(file.getParent().getFileName().toString()))
            .count();
    if (ours > 0) {
      return directory.ref.path() + ": " + ours + " files are still read, or about to be deleted";
    }
    return files.isEmpty()
        ? ""
        : directory.ref.path()
            + ": "
            + files.size()
            + " files are of log directories that this broker doesn't have";
  }
}
