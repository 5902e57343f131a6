// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.migrate.GuardedPolicy;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.Situation.HomeState;
import io.headpond.store.migrate.TierState;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Every segment of a broker and the state of its tiers and homes, as they are found from outside:
 * in the directories, and in the counters of a broker that runs. Changes nothing.
 */
final class BrokerSnapshot {
  /**
   * A tier directory, or all homes together.
   *
   * @param tier its name, or {@code home}
   * @param level counted from the fastest tier; home comes after the last
   * @param state null for home
   * @param lastDescentMs as {@link io.headpond.store.facts.StoreFacts.Tier} has it
   */
  record Place(String tier, int level, TierState<Path> state, long lastDescentMs) {
    boolean atHome() {
      return state == null;
    }

    /** Null for home. */
    Path path() {
      return atHome() ? null : state.directory();
    }
  }

  private final StoreConfig config;
  private final boolean existingStays;
  private final long nowMs;
  private final MigrationPolicy policy;
  private final Map<Path, TierMeasure> measures = new HashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final Place home;
  private final Map<Path, HomeState> homes = new HashMap<>();
  private final Map<LogDirScan.Entry, OutlookSegment> segments = new LinkedHashMap<>();
  private List<LogDirScan.Entry> asked = List.of();

  /**
   * Looks at everything, once: beside a running broker a second look would find other segments.
   *
   * @param running the counters of the broker; empty: it doesn't run
   * @param logDirs real paths
   * @param partition the directory of the log that {@link #asked} is to tell
   * @throws IOException if a directory can't be read
   */
  BrokerSnapshot(
      StoreConfig config,
      Optional<OwnerCounters> running,
      long nowMs,
      Collection<Path> logDirs,
      Path partition)
      throws IOException {
    this(config, running, nowMs, logDirs, partition, true);
  }

  /**
   * The same.
   *
   * @param existingStays is what was there before Headpond told from the rest?
   */
  BrokerSnapshot(
      StoreConfig config,
      Optional<OwnerCounters> running,
      long nowMs,
      Collection<Path> logDirs,
      Path partition,
      boolean existingStays)
      throws IOException {
    this.config = config;
    this.existingStays = existingStays;
    this.nowMs = nowMs;
    policy = new GuardedPolicy(config.migratePolicy(), failure -> {});
    home = new Place(TopicMove.HOME, config.tiers().size(), null, 0);
    for (TierConfig tier : config.tiers()) {
      for (Path path : tier.paths()) {
        if (Files.isDirectory(path)) {
          measures.put(path, new TierMeasure(config, tier, path, running));
        }
      }
    }
    for (Path logDir : logDirs) {
      FileStore store = Files.getFileStore(logDir);
      long room = store.getUsableSpace() - config.homeReserve().bytes(store.getTotalSpace());
      homes.put(logDir, new HomeState(room, room <= 0));
      scan(logDir, partition);
    }
    for (int level = 0; level < config.tiers().size(); level++) {
      TierConfig tier = config.tiers().get(level);
      String lastDescent = "tier." + tier.name() + ".last.descent.ms";
      long lastDescentMs = running.map(counters -> counters.get(lastDescent)).orElse(0L);
      for (Path path : tier.paths()) {
        if (measures.containsKey(path)) {
          places.add(new Place(tier.name(), level, measures.get(path).state(), lastDescentMs));
        }
      }
    }
    places.add(home);
  }

  /** As {@link MigrationPolicy#swapMargin}. */
  double swapMargin() {
    return policy.swapMargin();
  }

  /** The tier directories, fastest first, and home. */
  List<Place> places() {
    return places;
  }

  /** The log directories, by their real paths. */
  Map<Path, HomeState> homes() {
    return homes;
  }

  /** The segments that migration knows. */
  Map<LogDirScan.Entry, OutlookSegment> segments() {
    return segments;
  }

  /** The segments of the partition that was asked for, in the order of their names. */
  List<LogDirScan.Entry> asked() {
    return asked;
  }

  /** The place of a file; empty if that is no configured tier. */
  Optional<Place> place(LogDirScan.Entry entry, KnownTiers tiers) {
    return entry.linked()
        ? tiers.tierOf(entry.target()).map(ref -> place(ref.path()))
        : Optional.of(home);
  }

  /** A tier directory, or home for null; null: it isn't configured. */
  Place place(Path directory) {
    return places.stream()
        .filter(place -> Objects.equals(directory, place.path()))
        .findFirst()
        .orElse(null);
  }

  private void scan(Path logDir, Path partition) throws IOException {
    KnownTiers tiers = KnownTiers.of(logDir);
    OptionalLong joinedMs =
        existingStays
            ? HomeIdentity.read(logDir).map(HomeIdentity::joinedMs).orElse(OptionalLong.empty())
            : OptionalLong.empty();
    for (Path each : LogDirScan.partitions(logDir)) {
      List<LogDirScan.Entry> log = LogDirScan.segments(each);
      asked = each.equals(partition) ? log : asked;
      add(log.stream().filter(BrokerSnapshot::movable).toList(), tiers, joinedMs);
    }
  }

  /** True if migration may move it, as far as its name goes. */
  private static boolean movable(LogDirScan.Entry entry) {
    return !entry.dangling()
        && SegmentName.isPlain(entry.name().getFileName().toString())
        && !SegmentName.isBeingDeleted(entry.partition());
  }

  private void add(List<LogDirScan.Entry> log, KnownTiers tiers, OptionalLong joinedMs)
      throws IOException {
    for (int i = 0; i < log.size(); i++) {
      LogDirScan.Entry entry = log.get(i);
      boolean active = i == log.size() - 1;
      boolean homeOnly = config.homeOnly().match(SegmentName.topic(entry.partition()));
      Path directory =
          entry.linked() ? tiers.tierOf(entry.target()).map(TierRef::path).orElse(null) : null;
      if (entry.linked() ? measures.containsKey(directory) : !homeOnly) {
        segments.put(
            entry,
            new OutlookSegment(
                policy,
                config.internals().heatHalfLife().toMillis(),
                entry,
                homeOnly,
                active,
                entry.modifiedMs() < joinedMs.orElse(Long.MIN_VALUE),
                directory));
      }
      if (active && measures.containsKey(directory)) {
        measures.get(directory).holdBack(entry, expected(log, i), nowMs);
      }
    }
  }

  /** By the larger of the log's last two segments, or by the engine's configuration. */
  private ExpectedSize expected(List<LogDirScan.Entry> log, int active) {
    long learnt =
        log.subList(Math.max(0, active - 2), active).stream()
            .mapToLong(LogDirScan.Entry::bytes)
            .max()
            .orElse(0);
    return ExpectedSize.of(learnt, config.engineSegmentBytes());
  }
}
