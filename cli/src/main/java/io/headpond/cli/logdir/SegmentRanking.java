// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.nio.KafkaTimeIndex;
import io.headpond.store.DataAge;
import io.headpond.store.HomeIdentity.TierRef;
import io.headpond.store.LogDirScan;
import io.headpond.store.SegmentName;
import io.headpond.store.StoreConfig;
import io.headpond.store.TierConfig;
import io.headpond.store.TierLimits;
import io.headpond.store.migrate.SegmentFacts;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Every segment of a broker where it lies, ranked by the configured policy as the broker's start
 * ranks it: by length and last append, since reads are known to a running broker only. Changes
 * nothing; safe beside a running broker.
 */
final class SegmentRanking {
  /**
   * A segment that migration may move.
   *
   * @param lastAppendMs milliseconds since 1970: the file's time, or that of its newest record if
   *     what was written was older than {@code headpond.placement.max.age}
   * @param downAtMs from when on the policy wants it down, milliseconds since 1970
   */
  record Ranked(
      LogDirScan.Entry entry, boolean active, long lastAppendMs, double rank, long downAtMs) {}

  /**
   * A tier directory, or all homes together.
   *
   * @param tier its name, or {@code home}
   * @param level counted from the fastest tier; home comes after the last
   * @param path null for home
   * @param limits null for home
   * @param segmentBytes what migration compares with the threshold
   * @param freeBytes of the file system
   * @param sealed the coldest first
   * @param active the coldest first
   */
  record Place(
      String tier,
      int level,
      Path path,
      TierLimits limits,
      long segmentBytes,
      long freeBytes,
      List<Ranked> sealed,
      List<Ranked> active) {

    boolean atHome() {
      return path == null;
    }

    private static Place tier(TierConfig tier, int level, Path path) throws IOException {
      long segments =
          TierUse.FileTotal.below(path.resolve("segments")).bytes
              + TierUse.FileTotal.below(path.resolve("quarantine")).bytes;
      FileStore store = Files.getFileStore(path);
      long free = store.getUsableSpace();
      TierLimits limits =
          new TierLimits(tier.directoryCapacityBytes(free, segments), tier.threshold());
      return new Place(
          tier.name(), level, path, limits, segments, free, new ArrayList<>(), new ArrayList<>());
    }
  }

  private final StoreConfig config;
  private final DataAge dataAge;
  private final List<Place> places = new ArrayList<>();
  private final Place home;
  private List<LogDirScan.Entry> asked = List.of();

  /**
   * Looks at everything, once: beside a running broker a second look would find other segments.
   *
   * @param partition the directory of the log that {@link #asked} is to tell
   * @param logDirs real paths
   * @throws IOException if a directory can't be read
   */
  SegmentRanking(StoreConfig config, Collection<Path> logDirs, Path partition) throws IOException {
    this.config = config;
    dataAge = new DataAge(KafkaTimeIndex::newestMs, config.placementMaxAge().toMillis());
    int level = 0;
    for (TierConfig tier : config.tiers()) {
      for (Path path : tier.paths()) {
        if (Files.isDirectory(path)) {
          places.add(Place.tier(tier, level, path));
        }
      }
      level++;
    }
    home =
        new Place(Relocation.HOME, level, null, null, 0, 0, new ArrayList<>(), new ArrayList<>());
    places.add(home);
    for (Path logDir : logDirs) {
      TierCheck tiers = TierCheck.of(logDir, finding -> {});
      for (Path each : LogDirScan.partitions(logDir)) {
        List<LogDirScan.Entry> log = LogDirScan.segments(each);
        asked = each.equals(partition) ? log : asked;
        rank(log, tiers);
      }
    }
    Comparator<Ranked> coldest = Comparator.comparingDouble(Ranked::rank);
    for (Place place : places) {
      place.sealed().sort(coldest);
      place.active().sort(coldest);
    }
  }

  /** The tier directories, fastest first, and home. */
  List<Place> places() {
    return places;
  }

  /** The segments of the partition that was asked for, in the order of their names. */
  List<LogDirScan.Entry> asked() {
    return asked;
  }

  /** Where a file lies; empty if that is no configured tier. */
  Optional<Place> place(LogDirScan.Entry entry, TierCheck tiers) {
    if (!entry.linked()) {
      return Optional.of(home);
    }
    Optional<TierRef> ref = tiers.tierOf(entry.target());
    return places.stream()
        .filter(place -> ref.isPresent() && ref.get().path().equals(place.path()))
        .findFirst();
  }

  /** May migration move it, as far as its name and its topic go? */
  boolean movable(LogDirScan.Entry entry) {
    return !entry.dangling()
        && SegmentName.isPlain(entry.name().getFileName().toString())
        && !SegmentName.isBeingDeleted(entry.partition())
        && !config.homeOnly().contains(SegmentName.topic(entry.partition()));
  }

  private void rank(List<LogDirScan.Entry> log, TierCheck tiers) {
    List<LogDirScan.Entry> movable = log.stream().filter(this::movable).toList();
    for (int i = 0; i < movable.size(); i++) {
      LogDirScan.Entry entry = movable.get(i);
      boolean active = i == movable.size() - 1;
      place(entry, tiers)
          .ifPresent(
              place ->
                  (active ? place.active() : place.sealed())
                      .add(ranked(entry, active, appendMs(entry, active, place))));
    }
  }

  /** Before something comes up, migration looks how old its data were when they were written. */
  private long appendMs(LogDirScan.Entry entry, boolean active, Place place) {
    return active || place.level() == 0
        ? entry.modifiedMs()
        : dataAge.appendMs(entry.name(), entry.modifiedMs());
  }

  private Ranked ranked(LogDirScan.Entry entry, boolean active, long lastAppendMs) {
    SegmentFacts facts =
        new SegmentFacts(
            SegmentName.topic(entry.partition()),
            entry.partition(),
            SegmentName.baseOffset(entry.name().getFileName().toString()),
            entry.bytes(),
            lastAppendMs,
            Double.NEGATIVE_INFINITY,
            config.migrateHalfLife().toMillis());
    double rank = config.migratePolicy().rank(facts);
    return new Ranked(
        entry,
        active,
        lastAppendMs,
        Double.isNaN(rank) ? 0 : rank,
        config.migratePolicy().downAtMs(facts));
  }
}
