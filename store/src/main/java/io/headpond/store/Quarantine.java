// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Deletes orphans whose grace period is over. A file's name begins with when it was put there. */
final class Quarantine {
  private final long graceMs;
  private final List<List<TierDirectory>> tiers;

  Quarantine(final Duration grace, final List<List<TierDirectory>> tiers) {
    graceMs = grace.toMillis();
    this.tiers = tiers;
  }

  void purge() {
    for (final List<TierDirectory> tier : tiers) {
      for (final TierDirectory directory : tier) {
        try {
          purge(directory);
        } catch (final IOException e) {
          Events.LOG.warn("{}: its quarantine can't be purged", directory, e);
        }
      }
    }
  }

  private void purge(final TierDirectory directory) throws IOException {
    final long before = System.currentTimeMillis() - graceMs;
    try (DirectoryStream<Path> homes =
        Files.newDirectoryStream(directory.ref.path().resolve("quarantine"))) {
      for (final Path home : homes) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
          for (final Path file : files) {
            if (sinceMs(file) < before) {
              final long bytes = Files.size(file);
              Files.delete(file);
              directory.release(bytes);
              Events.LOG.info("{}: {} was deleted after its grace period", directory, file);
            }
          }
        }
      }
    } catch (final NoSuchFileException none) {
      return;
    }
  }

  /** A name that isn't ours is kept for good. */
  private static long sinceMs(final Path file) {
    final String name = file.getFileName().toString();
    try {
      return Long.parseLong(name.substring(0, Math.max(0, name.indexOf('.'))));
    } catch (final NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
