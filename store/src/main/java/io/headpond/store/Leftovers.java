// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.claim.TierCheck;
import io.headpond.store.home.Homes;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.partition.UnnamedFiles;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The files that keep a tier from being empty although migration knows of no segment there. Asks
 * the devices of tiers and homes. One thread for each tier.
 */
final class Leftovers {
  private final SpareFiles spares;
  private final Homes homes;
  private final UnnamedFiles unnamed;

  /**
   * Those of a store.
   *
   * @param homes the log directories that it owns
   */
  Leftovers(final SpareFiles spares, final Homes homes, final UnnamedFiles unnamed) {
    this.spares = spares;
    this.homes = homes;
    this.unnamed = unnamed;
  }

  /**
   * Gives up what nobody needs, and puts what nothing names any more into quarantine.
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
    final Set<Path> ours = ours(directory, files);
    final Set<Path> quarantined = unnamed.quarantine(directory, ours);
    files.removeAll(quarantined);
    final int left = ours.size() - quarantined.size();
    if (left > 0) {
      return directory.ref.path()
          + ": files that are still read, or about to be deleted, or go to quarantine soon because"
          + " no link names them: "
          + left;
    }
    return files.isEmpty()
        ? ""
        : directory.ref.path()
            + ": files of log directories that this broker doesn't have: "
            + files.size();
  }

  private Set<Path> ours(final TierDirectory directory, final Set<Path> files) {
    final Set<Path> folders =
        homes.all().stream()
            .map(home -> directory.segments(home.id()))
            .collect(Collectors.toUnmodifiableSet());
    return files.stream()
        .filter(file -> folders.contains(file.getParent()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
