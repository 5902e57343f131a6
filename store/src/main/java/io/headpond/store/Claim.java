// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StoreCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The owner's start. It locks the tiers once. Then, for each log directory, it checks that every
 * link leads where it must before it writes anything.
 *
 * <p>Order: look at all identities (nothing is written, not even a lock file, into a directory that
 * turns out to be another's or an empty mount point), lock; for each log directory check the links,
 * write a new identity, put orphans into quarantine. A log directory that fails is taken for not
 * searched: nothing of it in the tiers is called an orphan.
 *
 * <p>One thread at a time, but for {@link #recovery}.
 */
final class Claim implements AutoCloseable {
  /**
   * File systems' clocks are behind by some milliseconds, and no engine writes so shortly before.
   */
  private static final long FILE_CLOCK_MS = 1_000;

  private final StoreConfig config;
  private final TimeSource time;
  private final TierLocks locks;
  private final Map<Path, TierDirectory> directories = new LinkedHashMap<>();
  private final KnownHomes homes = new KnownHomes();
  private final LinkCheck links;
  private final OrphanSweep sweep;
  private volatile StoreFacts.Recovery recovery = new StoreFacts.Recovery(0, 0, 0, 0);

  Claim(final StoreConfig config, final TimeSource time) {
    this.time = time;
    locks = new TierLocks(time);
    this.config = config;
    links = new LinkCheck(config);
    sweep = new OrphanSweep(directories.values(), config.quarantineGrace(), time);
  }

  /** The findings so far, and the time that they took. Any thread. */
  StoreFacts.Recovery recovery() {
    return recovery;
  }

  /** Something more was looked at. */
  void took(final long nanos) {
    recovery =
        new StoreFacts.Recovery(
            recovery.nanos() + nanos,
            links.checked(),
            sweep.quarantined(),
            sweep.unfinishedMoves());
  }

  /**
   * Locks and checks the tiers; every home must then be claimed by itself.
   *
   * @throws StoreRefusedException if a tier isn't there, can't be read or isn't ours
   */
  List<List<TierDirectory>> tiers() {
    homes.look(config.logDirs());
    homes.first().forEach((logDir, identity) -> homes.refuseTwin(logDir, identity.id()));
    final TierCheck check = new TierCheck(config, homes.first(), time);
    for (final TierConfig tier : config.tiers()) {
      for (final Path path : tier.paths()) {
        at(
            tier,
            path,
            () -> {
              check.check(tier, path);
              return null;
            });
      }
    }
    final List<List<TierDirectory>> tiers = new ArrayList<>();
    for (final TierConfig tier : config.tiers()) {
      final List<TierDirectory> all = new ArrayList<>();
      for (final Path path : tier.paths()) {
        all.add(
            at(
                tier,
                path,
                () -> {
                  locks.lock(tier, path);
                  return known(check.open(tier, path));
                }));
      }
      tiers.add(List.copyOf(all));
    }
    return List.copyOf(tiers);
  }

  /** Something that is done with a tier directory. */
  private interface AtTier<T> {
    T run() throws IOException;
  }

  private static <T> T at(final TierConfig tier, final Path path, final AtTier<T> look) {
    try {
      return look.run();
    } catch (final IOException e) {
      throw StoreCodes.TIER_UNREAD.refusal(tier.name(), path, PlainText.reason(e), e);
    }
  }

  private TierDirectory known(final TierDirectory directory) {
    final HomeIdentity.TierRef ref = directory.ref;
    directories.values().forEach(other -> TierCheck.refuseTwin(ref, other.ref));
    directories.put(ref.path(), directory);
    return directory;
  }

  /**
   * A log directory that was checked and swept.
   *
   * @param joinedMs as {@link HomeIdentity#joinedMs} gives it
   * @param segments all that were found in it
   */
  record Found(Home home, OptionalLong joinedMs, List<LogDirScan.Entry> segments) {}

  /**
   * Checks one log directory and takes it over; {@link #catalogued} follows.
   *
   * @param logDir its real path
   * @throws StoreRefusedException if one of its segments isn't where it must be
   */
  Found home(final Path logDir) throws IOException {
    final Optional<HomeIdentity> found = HomeIdentity.read(logDir);
    final HomeIdentity identity =
        found.isPresent() ? found.get() : HomeIdentity.create(logDir, joinedMs());
    final OptionalLong joinedMs = identity.joinedMs();
    homes.refuseTwin(logDir, identity.id());
    homes.has(identity.id(), logDir);
    final List<LogDirScan.Entry> segments = new ArrayList<>();
    final Set<Path> linked = links.check(logDir, identity.id(), segments);
    writeIdentity(identity, found.isPresent());
    sweep.sweep(logDir, identity.id(), linked);
    return new Found(new Home(logDir, identity.id()), joinedMs, segments);
  }

  /**
   * Tells the catalogue what migration may move. The last segment of each log is the active one.
   */
  void catalogued(final Found found, final Catalogue catalogue) {
    final List<LogDirScan.Entry> segments = found.segments();
    if (!config.migrateExisting()) {
      found.joinedMs().ifPresent(ms -> catalogue.joined(found.home().path(), ms));
    }
    final Map<Path, TierDirectory> bySegments = new HashMap<>();
    String later = ""; // the partition of the one that comes next in its log
    for (int i = segments.size() - 1; i >= 0; i--) {
      final LogDirScan.Entry entry = segments.get(i);
      final String fileName = entry.name().getFileName().toString();
      if (!SegmentName.isPlain(fileName) || entry.dangling()) {
        continue;
      }
      catalogue.add(
          entry.name().getParent(),
          fileName,
          entry.linked()
              ? bySegments.computeIfAbsent(entry.target().getParent(), this::directoryOf)
              : null,
          entry.bytes(),
          entry.modifiedMs(),
          !entry.partition().equals(later));
      later = entry.partition();
    }
  }

  private TierDirectory directoryOf(final Path segments) {
    for (final TierDirectory directory : directories.values()) {
      if (segments.startsWith(directory.ref.path())) {
        return directory;
      }
    }
    throw new AssertionError(segments + " was checked to lie in a tier");
  }

  private long joinedMs() {
    return time.millis() - FILE_CLOCK_MS;
  }

  private void writeIdentity(final HomeIdentity identity, final boolean exists) throws IOException {
    final List<HomeIdentity.TierRef> refs =
        directories.values().stream().map(directory -> directory.ref).toList();
    if (!exists || !Set.copyOf(identity.tiers()).equals(Set.copyOf(refs))) {
      identity.writeTiers(refs);
    }
  }

  /** Says what the tiers hold for log directories that are not there; nothing of it is touched. */
  void reportAbsentHomes() throws IOException {
    for (final TierDirectory directory : directories.values()) {
      for (final String id : homes.absentIn(directory.ref.path())) {
        StoreCodes.HOME_ABSENT.log(directory, id);
      }
    }
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
