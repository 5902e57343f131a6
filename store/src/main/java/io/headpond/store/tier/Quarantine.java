// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.ObjLongConsumer;

/** Deletes orphans whose grace period is over. A file's name begins with when it was put there. */
public final class Quarantine {
  /** The time for which an orphan is kept. */
  public static final Duration GRACE = Duration.ofDays(7);

  private final TimeSource time;
  private final Tiers tiers;

  public Quarantine(final Tiers tiers, final TimeSource time) {
    this.time = time;
    this.tiers = tiers;
  }

  /** Deletes in all tier directories; a failure is logged. */
  public void purge() {
    tiers.all().forEach(this::purge);
  }

  private void purge(final TierDirectory directory) {
    try {
      purge(
          directory.ref.path(),
          time.millis(),
          (file, bytes) -> {
            directory.space.quarantined(-bytes);
            Events.LOG.info(
                "{}: {} was deleted after its grace period", directory, PlainText.of(file));
          });
    } catch (final IOException e) {
      BackgroundCodes.QUARANTINE_KEPT.log(directory, e);
    }
  }

  /**
   * Deletes what was put there longer ago than {@link #GRACE}.
   *
   * @param tier a tier directory
   * @param nowMs milliseconds since 1970
   * @param deleted is told each file and its length in bytes
   * @throws IOException if the quarantine can't be read or a file can't be deleted
   */
  public static void purge(final Path tier, final long nowMs, final ObjLongConsumer<Path> deleted)
      throws IOException {
    final long beforeMs = nowMs - GRACE.toMillis();
    try {
      for (final Path home : NameLook.list(HomeIdentity.quarantine(tier))) {
        for (final Path file : NameLook.list(home)) {
          if (sinceMs(file) < beforeMs) {
            final long bytes = Files.size(file);
            Files.delete(file);
            deleted.accept(file, bytes);
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
