// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.store.facts.Count;
import io.headpond.store.layout.HomeIdentity.TierRef;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
   * @param usedBytes by its files; with {@code --watch} by the owner's account of its segments
   * @param segments null with {@code --watch}, as are the directories: counting costs more the more
   *     there are
   * @param threshold the used share that migration steers to; -1: it leaves the tier alone
   * @param thresholdBytes the same in bytes; -1 as well
   * @param failedDirectories directories that the owner has given up, because their device failed;
   *     those of one that doesn't run are examined by its next start
   * @param failure why one of these was; null as above
   * @param draining is it to become empty? Null if no owner runs
   * @param waits why segments are still there that have to leave; null if they leave, or none has
   *     to, or no owner runs
   * @param growthBytesPerSecond negative if it shrinks; null without {@code --watch}, as is the
   *     next one
   */
  record TierJson(
      String name,
      Long capacityBytes,
      long usedBytes,
      Long freeBytes,
      Long segments,
      Double threshold,
      Long thresholdBytes,
      Long failedDirectories,
      String failure,
      Boolean draining,
      String waits,
      Long growthBytesPerSecond,
      ForecastJson forecast,
      List<TierUse> directories) {
    /** True if an owner that runs has given up one of its directories. */
    boolean failed() {
      return draining != null && failedDirectories != null && failedDirectories > 0;
    }

    /** True if that goes for all of them. */
    boolean dead() {
      return failed() && failedDirectories == directories.size();
    }
  }

  /**
   * The forecast of a tier, for JSON.
   *
   * @param kind as {@link Forecast.Kind} has it, in lower case
   * @param inMs when, milliseconds from now; null if it stays as it is
   */
  record ForecastJson(String kind, Long inMs) {
    static ForecastJson of(Forecast forecast) {
      return new ForecastJson(forecast.kind().key(), forecast.inMs());
    }
  }

  /**
   * Rates of a running owner over the last seconds, for JSON.
   *
   * @param windowMs the time that they are over; 0 in the first look
   */
  record RatesJson(
      long windowMs,
      long appendedBytesPerSecond,
      long homeAppendedBytesPerSecond,
      long migratedDownBytesPerSecond,
      long migratedUpBytesPerSecond) {}

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
   * @param atMs when, milliseconds since 1970
   * @param logDirs null with {@code --watch}
   * @param rates null without {@code --watch} and {@code --topics}, or if no owner runs
   * @param topics null without {@code --topics}; those that are appended to most come first
   * @param topicsHint what to do to have rates of topics; null if they are there
   * @param partition null without {@code --partition}
   */
  record ResultJson(
      boolean ok,
      @JsonIgnore boolean intact,
      long atMs,
      List<TierJson> tiers,
      List<LogDirUse> logDirs,
      List<HomeJson> homes,
      OwnerJson owner,
      RatesJson rates,
      List<TopicUse> topics,
      String topicsHint,
      Explanation.PartitionJson partition) {
    /** The same, with a partition. */
    ResultJson with(Explanation.PartitionJson explained) {
      return new ResultJson(
          ok && explained.whole(),
          intact,
          atMs,
          tiers,
          logDirs,
          homes,
          owner,
          rates,
          topics,
          topicsHint,
          explained);
    }
  }

  /** The owner publishes once a second; that an idle one does nothing shows as soon. */
  private static final Duration PUBLISHED_WITHIN = Duration.ofSeconds(4);

  private final boolean withTopics;
  private final LiveRates rates = new LiveRates();
  private final Map<Path, KnownTiers> logDirs = new LinkedHashMap<>();
  private final Map<Path, TierRef> refs = new LinkedHashMap<>();
  private final List<Finding> damaged = new ArrayList<>();

  /**
   * Reads the identities of log directories, given by their real paths.
   *
   * @param withTopics are topics looked at, too?
   */
  StatusReport(Collection<Path> realLogDirs, boolean withTopics) throws IOException {
    this.withTopics = withTopics;
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

  /** The owner's counters, if one ever wrote some. */
  Optional<OwnerCounters> counters() throws IOException {
    List<Path> places = new ArrayList<>(refs.keySet());
    places.addAll(logDirs.keySet());
    return OwnerCounters.newest(places);
  }

  /** Looks at everything: each segment's name, each tier file. */
  ResultJson all() throws IOException, InterruptedException {
    List<LogDirUse> uses = new ArrayList<>();
    for (Map.Entry<Path, KnownTiers> logDir : logDirs.entrySet()) {
      uses.add(LogDirUse.of(logDir.getKey(), logDir.getValue()));
    }
    if (withTopics) {
      awaitRates();
    }
    Optional<OwnerCounters> counters = counters();
    List<TierJson> tiers = tiers(counters);
    boolean intact =
        damaged.isEmpty()
            && tiers.stream()
                .flatMap(tier -> tier.directories().stream())
                .allMatch(directory -> directory.problem() == null)
            && uses.stream().allMatch(LogDirUse::intact);
    return result(System.currentTimeMillis(), intact, tiers, uses, counters);
  }

  /** Looks at the owner's counters alone. */
  ResultJson live() throws IOException {
    long nowMs = System.currentTimeMillis();
    Optional<OwnerCounters> counters = counters();
    boolean running = look(nowMs, counters);
    List<TierJson> tiers =
        counters.isEmpty() ? List.of() : liveTiers(counters.orElseThrow(), running);
    return result(nowMs, true, tiers, null, counters);
  }

  /**
   * Takes counters over into the rates.
   *
   * @return does their owner run?
   */
  private boolean look(long nowMs, Optional<OwnerCounters> counters) throws IOException {
    boolean running = counters.isPresent() && ownerRuns();
    if (running) {
      rates.add(nowMs, counters.orElseThrow());
    } else {
      rates.clear(); // what it did last isn't what happens now
    }
    return running;
  }

  /** Waits for an owner that counts by topic to publish again. */
  private void awaitRates() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PUBLISHED_WITHIN.toNanos();
    Optional<OwnerCounters> counters = counters();
    while (look(System.currentTimeMillis(), counters)
        && TopicUse.counted(counters.orElseThrow())
        && rates.time().isZero()
        && System.nanoTime() < deadline) {
      Thread.sleep(StatusWatch.INTERVAL.toMillis());
      counters = counters();
    }
  }

  private ResultJson result(
      long nowMs,
      boolean intact,
      List<TierJson> tiers,
      List<LogDirUse> uses,
      Optional<OwnerCounters> counters)
      throws IOException {
    List<HomeJson> homes = homes(counters);
    OwnerJson owner = counters.isEmpty() ? null : owner(counters.get());
    boolean ok =
        intact
            && tiers.stream().noneMatch(TierJson::failed)
            && homes.stream().noneMatch(HomeJson::reserveTouched)
            && (owner == null || !owner.running() || owner.migrationBlocked() == null);
    boolean running = owner != null && owner.running();
    boolean counted = running && TopicUse.counted(counters.orElseThrow());
    return new ResultJson(
        ok,
        intact,
        nowMs,
        tiers,
        uses,
        homes,
        owner,
        running && (uses == null || withTopics) ? rates() : null,
        withTopics ? topics(counters.filter(each -> counted)) : null,
        withTopics && !counted ? hint(running, counters) : null,
        null);
  }

  private RatesJson rates() {
    return new RatesJson(
        rates.time().toMillis(),
        rates.perSecond(OwnerCounters::appendedBytes),
        rates.perSecond(each -> each.get("home.appended.bytes")),
        rates.perSecond(each -> each.get(Count.DOWN_BYTES)),
        rates.perSecond(each -> each.get(Count.UP_BYTES)));
  }

  /**
   * The topics, by the counters of an owner that counts them; else by the names in the log
   * directories.
   */
  private List<TopicUse> topics(Optional<OwnerCounters> counting) throws IOException {
    List<String> places =
        new ArrayList<>(refs.values().stream().map(TierRef::tier).distinct().toList());
    places.add(TopicMove.HOME);
    List<TopicUse> topics =
        counting.isPresent()
            ? TopicUse.published(counting.get(), rates, places)
            : TopicUse.scanned(logDirs, places);
    return topics.stream().sorted(TopicUse.MOST_APPENDED).toList();
  }

  private static String hint(boolean running, Optional<OwnerCounters> counters) {
    if (!running) {
      return "no broker runs here: appends, reads and overflow are known beside a running one only";
    }
    String file = counters.orElseThrow().text("configuration");
    return "appends, reads and overflow aren't counted by topic: set headpond.metrics.topics=50 in "
        + (file.isEmpty() ? "the broker's configuration" : file)
        + " and restart the broker";
  }

  private List<TierJson> liveTiers(OwnerCounters counters, boolean running) {
    List<TierJson> tiers = new ArrayList<>();
    for (String name : refs.values().stream().map(TierRef::tier).distinct().toList()) {
      String key = "tier." + name;
      if (counters.find(key + ".capacity.bytes").isEmpty()) {
        continue; // not configured in the owner
      }
      long segments = counters.get(key + ".segment.bytes");
      long capacity = counters.get(key + ".capacity.bytes");
      long threshold = counters.find(key + ".threshold.bytes").orElse(-1);
      long growth = rates.perSecond(each -> each.get(key + ".segment.bytes"));
      tiers.add(
          new TierJson(
              name,
              capacity,
              segments,
              Math.max(0, capacity - segments),
              null,
              counters.share(key + ".threshold").orElse(-1),
              threshold,
              counters.get(key + ".failed.directories"),
              failure(counters, name),
              running ? draining(counters, name) : null,
              running ? waits(counters, name).orElse(null) : null,
              growth,
              ForecastJson.of(Forecast.of(segments, capacity, threshold, growth, rates.time())),
              null));
    }
    return tiers;
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
              counters.map(owner -> failure(owner, tier.getKey())).orElse(null),
              running ? draining(counters.get(), tier.getKey()) : null,
              running ? waits(counters.get(), tier.getKey()).orElse(null) : null,
              null,
              null,
              directories));
    }
    return tiers;
  }

  private static String failure(OwnerCounters counters, String tier) {
    String why = counters.text("tier." + tier + ".failure");
    return why.isEmpty() ? null : why;
  }

  /** True if a tier is to become empty. */
  private static boolean draining(OwnerCounters counters, String tier) {
    return Boolean.parseBoolean(counters.text("tier." + tier + ".draining"));
  }

  /** What keeps a tier from being empty; empty: nothing that is known, or it needn't be. */
  private static Optional<String> waits(OwnerCounters counters, String tier) {
    return Optional.of(counters.text("tier." + tier + ".waits")).filter(text -> !text.isEmpty());
  }

  private static Long published(Optional<OwnerCounters> counters, String key) {
    OptionalLong value = counters.isEmpty() ? OptionalLong.empty() : counters.get().find(key);
    return value.isPresent() ? value.getAsLong() : null;
  }

  /** The log directories' own file systems. */
  private List<HomeJson> homes(Optional<OwnerCounters> counters) throws IOException {
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
