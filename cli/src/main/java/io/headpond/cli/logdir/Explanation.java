// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.nio.KafkaTimeIndex;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The explanation of a partition's segments. */
final class Explanation {
  /**
   * One segment; for JSON.
   *
   * @param tier {@code home}, or {@code unknown} if its link leads into no configured tier
   * @param lastAppendAgeMs by the file's time
   * @param newestRecordAgeMs by the time that its producer gave it; null if it isn't known, as of
   *     an active segment
   * @param next {@code stays}, {@code down} or {@code up}
   */
  record SegmentJson(
      String name,
      String file,
      long bytes,
      String tier,
      long lastAppendAgeMs,
      Long newestRecordAgeMs,
      String next,
      String reason,
      String explanation) {}

  /**
   * One partition; for JSON.
   *
   * @param tiers in words: how full each tier directory is, and up to what it takes segments up
   * @param notKnown what can't be known from outside, in sentences
   */
  record PartitionJson(
      String name,
      String logDir,
      String configuration,
      String policy,
      List<String> tiers,
      List<SegmentJson> segments,
      List<String> notKnown) {
    /** True if no segment is missing. */
    boolean whole() {
      return segments.stream().noneMatch(each -> each.reason().equals("missing"));
    }
  }

  private final Path logDir;
  private final StoreConfig config;
  private final Optional<OwnerCounters> owner;
  private final boolean ownerRuns;
  private final long nowMs = System.currentTimeMillis();

  Explanation(Path logDir, StoreConfig config, Optional<OwnerCounters> owner, boolean ownerRuns) {
    this.logDir = logDir;
    this.config = config;
    this.owner = owner;
    this.ownerRuns = ownerRuns;
  }

  /** Looks at all segments of the broker, and explains those of one partition directory. */
  PartitionJson of(Path partition) throws IOException {
    Set<Path> logDirs = new LinkedHashSet<>();
    for (Path each : config.logDirs()) {
      if (Files.isDirectory(each)) {
        logDirs.add(each.toRealPath());
      }
    }
    Optional<OwnerCounters> running = ownerRuns ? owner : Optional.empty();
    BrokerSnapshot snapshot = new BrokerSnapshot(config, running, nowMs, logDirs, partition);
    MigrationOutlook outlook = new MigrationOutlook(config, snapshot, nowMs);
    KnownTiers tiers = KnownTiers.of(logDir);
    List<SegmentJson> segments = new ArrayList<>();
    for (LogDirScan.Entry entry : snapshot.asked()) {
      BrokerSnapshot.Place place = snapshot.place(entry, tiers).orElse(null);
      segments.add(segment(entry, place, outlook.of(entry, place)));
    }
    return new PartitionJson(
        partition.getFileName().toString(),
        logDir.toString(),
        config.source(),
        config.migratePolicyName(),
        snapshot.places().stream().filter(each -> !each.atHome()).map(Explanation::tier).toList(),
        segments,
        notKnown(snapshot));
  }

  private static String tier(BrokerSnapshot.Place place) {
    return MigrationOutlook.fill(place) + " (" + place.path() + ")";
  }

  private SegmentJson segment(
      LogDirScan.Entry entry, BrokerSnapshot.Place place, MigrationOutlook.Verdict verdict)
      throws IOException {
    long newestMs = entry.dangling() ? 0 : KafkaTimeIndex.newestMs(entry.name());
    return new SegmentJson(
        entry.name().getFileName().toString(),
        entry.file().toString(),
        Math.max(0, entry.bytes()),
        place == null ? "unknown" : place.tier(),
        nowMs - entry.modifiedMs(),
        newestMs <= 0 ? null : nowMs - newestMs,
        verdict.next(),
        verdict.reason(),
        verdict.words());
  }

  private List<String> notKnown(BrokerSnapshot snapshot) {
    List<String> lines = new ArrayList<>();
    if (snapshot.swapMargin() != Double.POSITIVE_INFINITY) {
      lines.add(
          "what was read, which policy "
              + config.migratePolicyName()
              + " ranks by: only a running broker counts it, and forgets it when it stops; here the"
              + " last append alone ranks");
    }
    if (ownerRuns) {
      lines.add("whether " + config.source() + " was changed since the broker started");
      lines.add("which moves are under way or failed lately: the broker's log says");
    } else {
      lines.add("what the broker finds when it starts again: segments are ranked anew then");
    }
    long failed =
        config.tiers().stream()
            .mapToLong(
                tier ->
                    owner
                        .map(
                            counters -> counters.get("tier." + tier.name() + ".failed.directories"))
                        .orElse(0L))
            .sum();
    if (ownerRuns && failed > 0) {
      lines.add("which tier directory failed (headpond status): all segments leave that one");
    }
    return lines;
  }
}
