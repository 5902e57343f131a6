// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.Events;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import io.headpond.store.layout.NameLook;
import io.headpond.store.mirror.HomeMirror;
import io.headpond.store.mirror.SegmentMirror;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The mirrors of all segments that lie in mirrored tiers, by log directory. Where no tier is
 * mirrored it does nothing. Any thread.
 */
final class Mirrors implements AutoCloseable {
  private final Tiers tiers;
  private final Homes homes;
  private final Counters counters;
  private final DirectoryForce directoryForce;
  private final Background background;
  private final TimeSource time;

  /** By the log directory's identifier. */
  private final Map<UUID, HomeMirror> byHome = new ConcurrentHashMap<>();

  /** Those that are about to be tiers. */
  private final Set<TierConfig> coming = ConcurrentHashMap.newKeySet();

  Mirrors(
      final StoreContext context,
      final Tiers tiers,
      final DirectoryForce directoryForce,
      final Background background) {
    this.tiers = tiers;
    this.homes = context.homes();
    this.counters = context.counters();
    this.time = context.time();
    this.directoryForce = directoryForce;
    this.background = background;
  }

  /** Begins with the log directories that are owned now; others follow with their first segment. */
  void start() {
    for (final HomeSpace space : homes.spaces()) {
      if (limitNanos() < 0) {
        removeAll(space.path());
      } else {
        home(space);
      }
    }
  }

  /** The shortest lag that a tier may have; negative: none is mirrored. */
  private long limitNanos() {
    return limits().min().orElse(-1);
  }

  private LongStream limits() {
    return Stream.concat(tiers.configs().stream(), coming.stream())
        .flatMap(tier -> tier.mirror().stream())
        .mapToLong(limit -> limit.toNanos());
  }

  /** True if all of them are waited for by each append. */
  private boolean acknowledges() {
    return limits().allMatch(limit -> limit == 0);
  }

  /**
   * A tier is about to come. Returns when what the log directories say of their mirrors is true
   * with it, too; {@link #arrived} follows.
   */
  void expect(final TierConfig tier) {
    if (tier.mirror().isEmpty()) {
      return;
    }
    synchronized (this) { // one that is made meanwhile knows it, or is among those below
      coming.add(tier);
    }
    homes.spaces().forEach(this::home);
    renew();
  }

  private void renew() {
    byHome.values().forEach(home -> home.limit(limitNanos(), acknowledges()));
  }

  /** It is one of the tiers, or won't be. */
  void arrived(final TierConfig tier) {
    if (coming.remove(tier) && limitNanos() >= 0 && !tiers.configs().contains(tier)) {
      renew();
    }
  }

  /** Removes the mirrors left from a time when the tier was mirrored: nobody updates them. */
  private static void removeAll(final Path logDir) {
    try {
      for (final Path file : NameLook.list(logDir)) {
        if (MirrorName.ofMirror(file) != null
            || file.getFileName().toString().equals(MirrorState.FILE)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (final IOException e) {
      Events.LOG.debug("{}: mirrors are left", logDir, e);
    }
  }

  private HomeMirror home(final HomeSpace space) {
    final HomeMirror known = byHome.get(space.id());
    return known == null ? made(space) : known;
  }

  private synchronized HomeMirror made(final HomeSpace space) {
    return byHome.computeIfAbsent(
        space.id(),
        id -> {
          final HomeMirror made =
              new HomeMirror(
                  space,
                  this::tierOf,
                  limitNanos(),
                  acknowledges(),
                  directoryForce,
                  counters,
                  background,
                  time);
          made.start();
          return made;
        });
  }

  /**
   * The mirror of a tier file.
   *
   * @param bytes of its segment
   * @param isNew was the file made just now, empty?
   * @return null: its tier has none
   */
  SegmentMirror of(
      final TierDirectory directory, final Path file, final long bytes, final boolean isNew) {
    if (directory.tier.mirror().isEmpty() || MirrorName.ofTierFile(file) == null) {
      return null;
    }
    final HomeSpace space = homes.space(home(file));
    return space == null ? null : home(space).of(file, directory.tier, bytes, isNew);
  }

  /**
   * The mirror of a tier file that {@link #of} has made, or a start's scan; null: there is none.
   */
  SegmentMirror known(final TierDirectory directory, final Path file) {
    final boolean may = directory.tier.mirror().isPresent() && MirrorName.ofTierFile(file) != null;
    final HomeMirror home = may ? byHome.get(home(file)) : null;
    return home == null ? null : home.known(file);
  }

  /** A tier file is gone, and so is the name that led to it, durably. */
  void drop(final Path file) {
    final boolean had = tierOf(file) != null && MirrorName.ofTierFile(file) != null;
    final HomeMirror home = had ? byHome.get(home(file)) : null;
    if (home != null) {
      home.drop(file);
    }
  }

  /** The identifier of a tier file's log directory. */
  private static UUID home(final Path file) {
    return UUID.fromString(file.getParent().getFileName().toString());
  }

  /** The mirrored tier that a file lies in; null: it lies in none. */
  private TierConfig tierOf(final Path tierFile) {
    return tiers.configs().stream()
        .filter(tier -> tier.mirror().isPresent())
        .filter(tier -> tier.paths().stream().anyMatch(tierFile::startsWith))
        .findFirst()
        .orElse(null);
  }

  /** True if nothing is left to be mirrored. */
  boolean settled() {
    return byHome.values().stream().allMatch(HomeMirror::settled);
  }

  /** Bytes that the mirrors of a home hold durably; asks no device. */
  long bytes(final UUID id) {
    final HomeMirror home = byHome.get(id);
    return home == null ? 0 : home.bytes();
  }

  /** As they are, in the order of their log directories. */
  List<StoreFacts.Mirror> facts() {
    return byHome.values().stream()
        .map(HomeMirror::facts)
        .sorted(Comparator.comparing(StoreFacts.Mirror::logDir))
        .toList();
  }

  @Override
  public void close() {
    byHome.values().forEach(HomeMirror::close);
  }
}
