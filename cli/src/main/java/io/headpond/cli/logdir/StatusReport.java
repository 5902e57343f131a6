// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts.Standing;
import io.headpond.store.layout.HomeIdentity.TierRef;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.UUID;

/** The status of some log directories, by their files, their tiers and the owner's counters. */
final class StatusReport {
  /**
   * The owner's counters since its start; for JSON.
   *
   * @param ageMs how long ago something changed
   * @param counts each by its own key
   * @param migrationRunning segments that are being moved now
   * @param migrationYielding does migration go slower now for the sake of appends?
   * @param migrationBlocked why a tier above its threshold isn't relieved; null if none is
   */
  record OwnerJson(
      long pid,
      boolean running,
      long uptimeMs,
      long ageMs,
      @JsonIgnore Map<Count, Long> counts,
      long homeAppendedBytes,
      long evacuationStallMsMax,
      long quarantinedFiles,
      long migrationRunning,
      boolean migrationYielding,
      String migrationBlocked) {

    long count(Count count) {
      return counts.get(count);
    }

    @JsonAnyGetter
    Map<String, Long> countsByKey() {
      Map<String, Long> all = new LinkedHashMap<>();
      counts.forEach((count, value) -> all.put(count.key().replace('.', '_'), value));
      return all;
    }
  }

  /**
   * One tier; for JSON. What only an owner publishes is null if none ever did.
   *
   * @param threshold the used share that migration steers to; -1: it leaves the tier alone
   * @param thresholdBytes the same in bytes; -1 as well
   * @param failedDirectories directories that the owner has given up, because their device failed;
   *     those of one that doesn't run are examined by its next start
   * @param standing {@code used}, {@code leaving} or {@code removed}; null if no owner runs
   * @param waits why segments are still there that have to leave; null if they leave, or none has
   *     to, or no owner runs
   */
  record TierJson(
      String name,
      Long capacityBytes,
      long usedBytes,
      Long freeBytes,
      long segments,
      Double threshold,
      Long thresholdBytes,
      Long failedDirectories,
      String standing,
      String waits,
      List<TierUse> directories) {
    /** True if an operator has taken it out: its device may be gone. */
    boolean removed() {
      return Standing.REMOVED.key().equals(standing);
    }

    /** True if an owner that runs has given up one of its directories. */
    boolean failed() {
      return standing != null && failedDirectories != null && failedDirectories > 0;
    }

    /** True if that goes for all of them. */
    boolean dead() {
      return failed() && failedDirectories == directories.size();
    }
  }

  /**
   * The file system of a log directory; for JSON.
   *
   * @param reserveBytes what is left alone there, {@code headpond.home.reserve}; null if no owner
   *     said
   * @param reserveTouched is less than that free?
   * @param ballastBytes what can be given back to the engine when it is full; null as above
   * @param ballastWantedBytes what that is when nothing was given back; null as above
   */
  record HomeJson(
      String path,
      long fileSystemFreeBytes,
      long fileSystemBytes,
      Long reserveBytes,
      boolean reserveTouched,
      Long ballastBytes,
      Long ballastWantedBytes) {
    /**
     * True if a part of the ballast was given back, and there is still no room to take it again.
     */
    boolean ballastInUse() {
      return reserveTouched && ballastBytes != null && ballastBytes < ballastWantedBytes;
    }
  }

  /**
   * The whole status; for JSON.
   *
   * @param ok is there nothing that is shown as a problem?
   * @param intact are identities, tier directories and links in order?
   */
  record ResultJson(
      boolean ok,
      @JsonIgnore boolean intact,
      List<TierJson> tiers,
      List<LogDirUse> logDirs,
      List<HomeJson> homes,
      OwnerJson owner) {}

  private final Map<Path, KnownTiers> logDirs = new LinkedHashMap<>();
  private final Map<Path, TierRef> refs = new LinkedHashMap<>();
  private final List<Finding> damaged = new ArrayList<>();

  /** Reads the identities of log directories, given by their real paths. */
  StatusReport(Collection<Path> realLogDirs) throws IOException {
    for (Path logDir : realLogDirs) {
      // A tier's faults are shown with the tier.
      KnownTiers tiers =
          KnownTiers.examined(
              logDir,
              finding -> {
                if (finding.kind() == Finding.Kind.DAMAGED_IDENTITY) {
                  damaged.add(finding);
                }
              });
      tiers.tiers().forEach(tier -> refs.putIfAbsent(tier.path(), tier));
      logDirs.put(logDir, tiers);
    }
  }

  /** Identity files that can't be read. */
  List<Finding> damaged() {
    return damaged;
  }

  /** The log directories, with what their identities say about tiers. */
  Map<Path, KnownTiers> logDirs() {
    return Collections.unmodifiableMap(logDirs);
  }

  /** The owner's counters, if one ever wrote some. */
  Optional<OwnerCounters> counters() throws IOException {
    List<Path> places = new ArrayList<>(refs.keySet());
    places.addAll(logDirs.keySet());
    return OwnerCounters.newest(places);
  }

  /** The names of the tiers, as the log directories list them. */
  List<String> tierNames() {
    return refs.values().stream().map(TierRef::tier).distinct().toList();
  }

  /** Looks at everything: each segment's name, each tier file. */
  ResultJson all() throws IOException {
    List<LogDirUse> uses = new ArrayList<>();
    for (Map.Entry<Path, KnownTiers> logDir : logDirs.entrySet()) {
      uses.add(LogDirUse.of(logDir.getKey(), logDir.getValue()));
    }
    Optional<OwnerCounters> counters = counters();
    List<TierJson> tiers = tiers(counters);
    boolean intact =
        damaged.isEmpty()
            && tiers.stream()
                .filter(tier -> !tier.removed())
                .flatMap(tier -> tier.directories().stream())
                .allMatch(directory -> directory.problem() == null)
            && uses.stream().allMatch(LogDirUse::intact);
    List<HomeJson> homes = homes(counters);
    OwnerJson owner = counters.isEmpty() ? null : owner(counters.get());
    boolean ok =
        intact
            && tiers.stream().noneMatch(TierJson::failed)
            && homes.stream().noneMatch(HomeJson::reserveTouched)
            && (owner == null || !owner.running() || owner.migrationBlocked() == null);
    return new ResultJson(ok, intact, tiers, uses, homes, owner);
  }

  private List<TierJson> tiers(Optional<OwnerCounters> counters) throws IOException {
    Map<String, List<TierUse>> byName = new LinkedHashMap<>();
    for (TierRef ref : refs.values()) {
      byName.computeIfAbsent(ref.tier(), name -> new ArrayList<>()).add(TierUse.of(ref));
    }
    boolean running = counters.isPresent() && ownerRuns();
    List<TierJson> tiers = new ArrayList<>();
    for (Map.Entry<String, List<TierUse>> tier : byName.entrySet()) {
      List<TierUse> directories = tier.getValue();
      long used = directories.stream().mapToLong(TierUse::usedBytes).sum();
      String key = "tier." + tier.getKey();
      Long capacity = published(counters, key + ".capacity.bytes");
      OptionalDouble threshold =
          counters.isEmpty() ? OptionalDouble.empty() : counters.get().share(key + ".threshold");
      tiers.add(
          new TierJson(
              tier.getKey(),
              capacity,
              used,
              capacity == null ? null : Math.max(0, capacity - used),
              directories.stream().mapToLong(TierUse::segments).sum(),
              threshold.isPresent() ? threshold.getAsDouble() : null,
              published(counters, key + ".threshold.bytes"),
              published(counters, key + ".failed.directories"),
              running ? counters.get().text(key + ".standing") : null,
              running ? waits(counters.get(), tier.getKey()).orElse(null) : null,
              directories));
    }
    return tiers;
  }

  /** What keeps a tier from being empty; empty: nothing that is known, or it needn't be. */
  static Optional<String> waits(OwnerCounters counters, String tier) {
    return Optional.of(counters.text("tier." + tier + ".waits")).filter(text -> !text.isEmpty());
  }

  private static Long published(Optional<OwnerCounters> counters, String key) {
    OptionalLong value = counters.isEmpty() ? OptionalLong.empty() : counters.get().find(key);
    return value.isPresent() ? value.getAsLong() : null;
  }

  /** The log directories' own file systems. */
  List<HomeJson> homes(Optional<OwnerCounters> counters) throws IOException {
    List<HomeJson> homes = new ArrayList<>();
    for (Map.Entry<Path, KnownTiers> logDir : logDirs.entrySet()) {
      FileStore store = Files.getFileStore(logDir.getKey());
      long free = store.getUsableSpace();
      Optional<UUID> home = logDir.getValue().home();
      Long reserve = published(counters, home, "reserve.bytes");
      homes.add(
          new HomeJson(
              logDir.getKey().toString(),
              free,
              store.getTotalSpace(),
              reserve,
              reserve != null && free <= reserve,
              published(counters, home, "ballast.bytes"),
              published(counters, home, "ballast.wanted.bytes")));
    }
    return homes;
  }

  private static Long published(Optional<OwnerCounters> counters, Optional<UUID> home, String key) {
    return home.map(id -> published(counters, "home." + id + "." + key)).orElse(null);
  }

  /** True if a process holds a tier, or a log directory, whose tiers may all be removed. */
  boolean ownerRuns() throws IOException {
    for (Path tier : refs.keySet()) {
      if (EngineLock.holder(tier.resolve(EngineLock.TIER_FILE)).isPresent()) {
        return true;
      }
    }
    for (Path logDir : logDirs.keySet()) {
      if (Files.exists(logDir.resolve(OwnerCounters.FILE))
          && LogDirState.of(logDir) == LogDirState.RUNNING) {
        return true;
      }
    }
    return false;
  }

  private OwnerJson owner(OwnerCounters counters) throws IOException {
    long now = System.currentTimeMillis();
    String blocked = counters.text("migration.blocked");
    return new OwnerJson(
        counters.get("pid"),
        ownerRuns(),
        Math.max(0, now - counters.get("started.ms")), // the clock may have been set back
        Math.max(0, now - counters.updatedMs()),
        counters.counts(),
        counters.get("home.appended.bytes"),
        counters.get("evacuation.stall.ms.max"),
        counters.get("quarantined.files"),
        counters.get("migration.running"),
        Boolean.parseBoolean(counters.text("migration.yielding")),
        blocked.isEmpty() ? null : blocked);
  }
}
