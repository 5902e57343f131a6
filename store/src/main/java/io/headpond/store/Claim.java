// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The owner's start: locks the tiers, checks that every link of every log directory leads where it
 * must, and only then writes anything.
 *
 * <p>Order: look at all identities (nothing is written, not even a lock file, into a directory that
 * turns out to be another's or an empty mount point), lock, check the links, write new identities,
 * put orphans into quarantine.
 */
final class Claim implements AutoCloseable {
  private static final int NAMES_SHOWN_MAX = 5;

  private final StoreConfig config;
  private final TierLocks locks = new TierLocks();
  private final Map<Path, TierDirectory> directories = new LinkedHashMap<>();
  private final Map<UUID, Path> homeIds = new HashMap<>();
  private final OrphanSweep sweep;
  private long linksChecked;

  Claim(final StoreConfig config) {
    this.config = config;
    sweep = new OrphanSweep(directories.values(), config.quarantineGrace());
  }

  /** What was found, after so much time. */
  StoreFacts.Recovery recovery(final long nanos) {
    return new StoreFacts.Recovery(
        nanos, linksChecked, sweep.quarantined(), sweep.unfinishedMoves());
  }

  /** Locks and checks the tiers; every home must then be claimed by itself. */
  List<List<TierDirectory>> tiers() throws IOException {
    final TierCheck check = new TierCheck(config);
    for (final TierConfig tier : config.tiers()) {
      for (final Path path : tier.paths()) {
        check.check(tier, path);
      }
    }
    final List<List<TierDirectory>> tiers = new ArrayList<>();
    for (final TierConfig tier : config.tiers()) {
      final List<TierDirectory> all = new ArrayList<>();
      for (final Path path : tier.paths()) {
        locks.lock(tier, path);
        all.add(known(check.open(tier, path)));
      }
      tiers.add(List.copyOf(all));
    }
    return List.copyOf(tiers);
  }

  private TierDirectory known(final TierDirectory directory) {
    final HomeIdentity.TierRef ref = directory.ref;
    for (final TierDirectory other : directories.values()) {
      if (other.ref.id().equals(ref.id())) {
        throw StoreCodes.TIER_TWICE.refusal(ref.path(), other.ref.path(), ref.id());
      }
    }
    directories.put(ref.path(), directory);
    return directory;
  }

  /**
   * Checks one log directory and takes it over.
   *
   * @param logDir its real path
   * @param catalogue is told of its segments
   * @throws StoreRefusedException if one of its segments isn't where it must be
   */
  Home home(final Path logDir, final Catalogue catalogue) throws IOException {
    final Optional<HomeIdentity> found = HomeIdentity.read(logDir);
    final HomeIdentity identity = found.isPresent() ? found.get() : HomeIdentity.create(logDir);
    final Path twin = homeIds.putIfAbsent(identity.id(), logDir);
    if (twin != null) {
      throw StoreCodes.LOG_DIR_COPIED.refusal(logDir, twin);
    }
    final List<LogDirScan.Entry> segments = new ArrayList<>();
    final Set<Path> linked = checkLinks(logDir, identity, segments);
    writeIdentity(identity, found.isPresent());
    sweep.sweep(logDir, identity.id(), linked);
    catalogued(segments, catalogue);
    return new Home(logDir, identity.id());
  }

  /** Every link must lead to a file in one of the tiers; nothing was written so far. */
  private Set<Path> checkLinks(
      final Path logDir, final HomeIdentity identity, final List<LogDirScan.Entry> segments)
      throws IOException {
    final Set<Path> linked = new HashSet<>();
    final List<String> lost = new ArrayList<>();
    final List<String> outside = new ArrayList<>();
    LogDirScan.scan(
        logDir,
        entry -> {
          segments.add(entry);
          if (!entry.linked()) {
            return;
          }
          if (!linked.add(entry.target())) {
            throw StoreCodes.LINK_COPIED.refusal(entry.name(), entry.target());
          }
          if (!inTiers(entry.target(), identity.id())) {
            outside.add(entry.name() + " -> " + entry.target());
          } else if (entry.lost()) {
            lost.add(entry.name() + " -> " + entry.target());
          }
        });
    linksChecked += linked.size();
    if (!outside.isEmpty()) {
      throw StoreCodes.LINKS_OUTSIDE.refusal(logDir, shown(outside), config.source(), logDir);
    }
    if (!lost.isEmpty()) {
      throw StoreCodes.SEGMENTS_MISSING.refusal(logDir, shown(lost), logDir);
    }
    return linked;
  }

  private static String shown(final List<String> names) {
    final int more = names.size() - NAMES_SHOWN_MAX;
    return String.join(", ", names.subList(0, Math.min(names.size(), NAMES_SHOWN_MAX)))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private boolean inTiers(final Path target, final UUID home) {
    for (final TierDirectory directory : directories.values()) {
      if (directory.segments(home).equals(target.getParent())) {
        return true;
      }
    }
    return false;
  }

  /** What migration may move; the last segment of each log is the one that is appended to. */
  private void catalogued(final List<LogDirScan.Entry> segments, final Catalogue catalogue) {
    final Map<Path, TierDirectory> bySegments = new HashMap<>();
    String later = ""; // the partition of the one that comes next in its log
    for (int i = segments.size() - 1; i >= 0; i--) {
      final LogDirScan.Entry entry = segments.get(i);
      final String fileName = entry.name().getFileName().toString();
      if (!SegmentName.isPlain(fileName)
          || entry.dangling()
          || config.homeOnly().contains(SegmentName.topic(entry.partition()))) {
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
      try {
        for (final Path home : NameLook.list(directory.ref.path().resolve("segments"))) {
          final String id = home.getFileName().toString();
          if (homeIds.keySet().stream().noneMatch(known -> known.toString().equals(id))
              && !NameLook.list(home).isEmpty()) {
            StoreCodes.HOME_ABSENT.log(directory, id);
          }
        }
      } catch (final NoSuchFileException none) {
        continue;
      }
    }
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
