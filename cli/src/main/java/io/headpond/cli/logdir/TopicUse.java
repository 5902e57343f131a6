// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One topic in one look; for JSON. What only an owner counts is null where it doesn't.
 *
 * @param name the topic's, or {@code (other)}: those together that have no counts of their own
 * @param overflowSegments segments created further down than where they belong
 * @param places the tiers, fastest first, then home
 */
record TopicUse(
    String name,
    Long appendedBytesPerSecond,
    Long readBytesPerSecond,
    Long overflowSegments,
    long segments,
    long bytes,
    List<Place> places) {
  /** What is equal, or not known, by bytes; then by name. */
  static final Comparator<TopicUse> MOST_APPENDED =
      Comparator.comparing(TopicUse::knownAppends)
          .thenComparing(TopicUse::bytes)
          .reversed()
          .thenComparing(TopicUse::name);

  private static final String KEY = "topic.";

  /**
   * The topic's share of one place, for JSON.
   *
   * @param tier the tier's name, or {@code home}
   */
  record Place(
      String tier,
      long segments,
      long bytes,
      Long appendedBytesPerSecond,
      Long readBytesPerSecond) {
    private boolean atHome() {
      return tier.equals(TopicMove.HOME);
    }
  }

  private static TopicUse of(String name, Long overflow, List<Place> places) {
    boolean counted = overflow != null;
    return new TopicUse(
        name,
        counted ? places.stream().mapToLong(Place::appendedBytesPerSecond).sum() : null,
        counted ? places.stream().mapToLong(Place::readBytesPerSecond).sum() : null,
        overflow,
        places.stream().mapToLong(Place::segments).sum(),
        places.stream().mapToLong(Place::bytes).sum(),
        places);
  }

  private long knownAppends() {
    return appendedBytesPerSecond == null ? 0 : appendedBytesPerSecond;
  }

  /** The rate of reads from the tiers, bytes per second; null if nobody counts them. */
  Long fastReadBytesPerSecond() {
    return readBytesPerSecond == null ? null : readBytesPerSecond - homeReadBytesPerSecond();
  }

  /** The rate of reads from home, bytes per second; null if nobody counts them. */
  Long homeReadBytesPerSecond() {
    return readBytesPerSecond == null
        ? null
        : places.stream().filter(Place::atHome).mapToLong(Place::readBytesPerSecond).sum();
  }

  /** True if the owner counts by topic. */
  static boolean counted(OwnerCounters counters) {
    return !counters.keys(KEY).isEmpty();
  }

  /**
   * By the owner's counts.
   *
   * @param tiers by name, fastest first, with home
   */
  static List<TopicUse> published(OwnerCounters counters, LiveRates rates, List<String> tiers) {
    List<TopicUse> topics = new ArrayList<>();
    for (String key : counters.keys(KEY)) {
      if (key.indexOf('/') >= 0) {
        continue;
      }
      List<Place> places = new ArrayList<>();
      for (String tier : tiers) {
        String line = key + "/" + tier;
        places.add(
            new Place(
                tier,
                counters.column(line, 0),
                counters.column(line, 1),
                perSecond(rates, line, 2),
                perSecond(rates, line, 3)));
      }
      topics.add(of(key.substring(KEY.length()), counters.get(key), places));
    }
    return topics;
  }

  /** A topic that gave its place up and has one again counts from zero. */
  private static long perSecond(LiveRates rates, String line, int column) {
    return Math.max(0, rates.perSecond(each -> each.column(line, column)));
  }

  /** By the names in the log directories, which say nothing about appends and reads. */
  static List<TopicUse> scanned(Map<Path, KnownTiers> logDirs, List<String> tiers)
      throws IOException {
    Map<String, Map<String, LogDirUse.Share>> found = new TreeMap<>();
    for (Map.Entry<Path, KnownTiers> logDir : logDirs.entrySet()) {
      LogDirScan.scan(
          logDir.getKey(),
          entry -> {
            String tier =
                entry.linked()
                    ? logDir.getValue().tierOf(entry.target()).map(t -> t.tier()).orElse(null)
                    : TopicMove.HOME;
            if (tier != null && !SegmentName.isBeingDeleted(entry.partition())) {
              found
                  .computeIfAbsent(SegmentName.topic(entry.partition()), t -> new LinkedHashMap<>())
                  .merge(
                      tier,
                      new LogDirUse.Share(1, Math.max(0, entry.bytes())),
                      LogDirUse.Share::plus);
            }
          });
    }
    List<TopicUse> topics = new ArrayList<>();
    found.forEach(
        (topic, shares) -> {
          List<Place> places = new ArrayList<>();
          for (String tier : tiers) {
            LogDirUse.Share share = shares.getOrDefault(tier, new LogDirUse.Share(0, 0));
            places.add(new Place(tier, share.segments(), share.bytes(), null, null));
          }
          topics.add(of(topic, null, places));
        });
    return topics;
  }
}
