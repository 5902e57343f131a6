// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.store.claim.Home;
import io.headpond.store.claim.OrphanSweep;
import io.headpond.store.event.Events;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tier files that no name leads to although nobody gave them to the {@link Reclaimer}: somebody
 * removed their links around the store. A tier that is being emptied puts them into quarantine, as
 * a start does.
 *
 * <p>The listing of a directory may leave out a name that is changed meanwhile. So a file goes only
 * when several looks, some time apart, have found no name for it. Asks the devices of tiers and
 * homes. One thread for each tier directory.
 */
public final class UnnamedFiles {
  private static final int LOOKS = 3;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Puts files of one home that no link names into quarantine. */
  public interface Sweep {
    void quarantine(TierDirectory directory, Home home, List<Path> orphans) throws IOException;
  }

  private final Homes homes;
  private final Sweep sweep;
  private final TimeSource time;

  /** The last look at each tier directory. */
  private final Map<TierDirectory, Look> looks = new ConcurrentHashMap<>();

  /**
   * One look.
   *
   * @param unnamed the files without a name, and the number of looks that found them so
   */
  private record Look(long nanos, Map<Path, Integer> unnamed) {}

  public UnnamedFiles(final Homes homes, final Sweep sweep, final TimeSource time) {
    this.homes = homes;
    this.sweep = sweep;
    this.time = time;
  }

  /**
   * Looks for the names of tier files, unless it is too early for another look.
   *
   * @param files of the log directories that are owned, in this tier directory
   * @return those that are in quarantine now
   */
  public Set<Path> quarantine(final TierDirectory directory, final Set<Path> files)
      throws IOException {
    final Look before = looks.get(directory);
    if (directory.space.givesBack() || before != null && time.nanos() - before.nanos < LOOK_NANOS) {
      return Set.of();
    }
    final Map<Path, Integer> unnamed = new HashMap<>();
    for (final Path file : unnamed(files)) {
      unnamed.put(file, 1 + (before == null ? 0 : before.unnamed.getOrDefault(file, 0)));
    }
    looks.put(directory, new Look(time.nanos(), unnamed));
    final Set<Path> done = new HashSet<>();
    for (final Home home : homes.all()) {
      final List<Path> orphans =
          unnamed.keySet().stream()
              .filter(file -> unnamed.get(file) >= LOOKS && directory.holds(home.id(), file))
              .filter(OpenFiles::surelyWithout)
              .toList();
      if (!orphans.isEmpty()) {
        sweep.quarantine(directory, home, orphans);
        done.addAll(orphans);
      }
    }
    return done;
  }

  /** None, if that can't be told of any of the log directories. */
  private Set<Path> unnamed(final Set<Path> files) {
    final Set<Path> unnamed = new HashSet<>(files);
    unnamed.removeIf(file -> SegmentMove.isTemporary(file.getFileName().toString()));
    for (final Home home : homes.all()) {
      try {
        if (unnamed.isEmpty() || !removeNamed(unnamed, home)) {
          return Set.of();
        }
      } catch (final IOException | StoreRefusedException e) {
        Events.LOG.debug("{}: it can't be told which files its links lead to", home.path(), e);
        return Set.of();
      }
    }
    return unnamed;
  }

  /** False: a part of the log directory isn't there now, and may hold names. */
  private static boolean removeNamed(final Set<Path> files, final Home home) throws IOException {
    if (!isThere(home) || OrphanSweep.linkToNowhere(home.path()).isPresent()) {
      return false;
    }
    LogDirScan.scan(
        home.path(),
        entry -> {
          if (entry.linked()) {
            files.remove(entry.target());
          }
        });
    return isThere(home); // and was all the time: a disk that is unmounted doesn't come back
  }

  private static boolean isThere(final Home home) throws IOException {
    return HomeIdentity.read(home.path()).filter(found -> found.id().equals(home.id())).isPresent();
  }
}
