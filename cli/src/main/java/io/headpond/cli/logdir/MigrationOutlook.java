// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.SegmentRanking.Place;
import io.headpond.cli.logdir.SegmentRanking.Ranked;
import io.headpond.store.ConfigKey;
import io.headpond.store.LogDirScan;
import io.headpond.store.SegmentName;
import io.headpond.store.StoreConfig;
import io.headpond.store.migrate.MigrationPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What migration makes of each segment if nothing is appended, read or deleted from now on: the
 * choices of the store's {@code MigrationChoice}, with its limits and the configured policy.
 */
final class MigrationOutlook {
  /** Why a segment is where it is; scripts read the names in lower case. */
  enum Reason {
    MISSING,
    FOREIGN,
    BEING_DELETED,
    HOME_ONLY,
    ACTIVE,
    NO_TIER,
    PINNED_UP,
    PINNED_HOME,
    TOO_OLD,
    NO_MIGRATION,
    BELOW_THRESHOLD,
    ABOVE_THRESHOLD,
    COLDER_ONES_FIRST,
    DELETED_SOON,
    ROOM_ABOVE,
    HOTTER_ONES_FIRST,
    TIER_FULL;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What comes next for a segment. */
  enum Next {
    STAYS,
    DOWN,
    UP;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param words a sentence for people
   */
  record Verdict(Next next, Reason reason, String words) {}

  private final StoreConfig config;
  private final SegmentRanking ranking;
  private final long nowMs;
  private final Map<LogDirScan.Entry, Ranked> ranked = new HashMap<>();
  private final Map<LogDirScan.Entry, Verdict> moving = new HashMap<>();

  MigrationOutlook(StoreConfig config, SegmentRanking ranking, long nowMs) {
    this.config = config;
    this.ranking = ranking;
    this.nowMs = nowMs;
    for (Place place : ranking.places()) {
      place.sealed().forEach(each -> ranked.put(each.entry(), each));
      place.active().forEach(each -> ranked.put(each.entry(), each));
      if (!place.atHome() && place.limits().threshold() >= 0) {
        leaving(place);
      }
    }
    for (Place place : ranking.places()) {
      if (!place.atHome() && place.limits().threshold() >= 0) {
        rising(place);
      }
    }
  }

  /** What has to leave a tier directory, the coldest first. */
  private void leaving(Place place) {
    long used = place.segmentBytes();
    int before = 0;
    for (Ranked each : place.sealed()) {
      boolean above = used > place.limits().thresholdBytes();
      if (each.rank() == MigrationPolicy.ALWAYS_UP) {
        break;
      }
      if (used < place.limits().pressureBytes()
          && each.lastAppendMs() < config.deletedSoonBeforeMs(nowMs)) {
        if (above) {
          verdict(each, Next.STAYS, Reason.DELETED_SOON, "Kafka deletes it soon, by its retention");
        }
        continue;
      }
      if (above) {
        verdict(each, Next.DOWN, Reason.ABOVE_THRESHOLD, aboveThreshold(place, before++));
      } else if (each.rank() == MigrationPolicy.NEVER_UP) {
        verdict(each, Next.DOWN, Reason.PINNED_HOME, pinnedHome());
      } else if (each.downAtMs() <= nowMs) {
        verdict(each, Next.DOWN, Reason.TOO_OLD, tooOld());
      } else {
        break;
      }
      used -= each.entry().bytes();
    }
    for (Ranked each : place.active()) {
      if (used <= place.limits().pressureBytes()) {
        break;
      }
      verdict(each, Next.DOWN, Reason.ABOVE_THRESHOLD, aboveThreshold(place, before++));
      used -= each.entry().bytes();
    }
  }

  /** What comes up into a tier directory from below it, the hottest first. */
  private void rising(Place place) {
    long room = roomBytes(place);
    List<Ranked> below = new ArrayList<>();
    ranking.places().stream()
        .filter(lower -> lower.level() > place.level())
        .forEach(lower -> below.addAll(lower.sealed()));
    below.sort(Comparator.comparingDouble(Ranked::rank).reversed());
    for (Ranked each : below) {
      if (each.rank() != MigrationPolicy.NEVER_UP
          && each.downAtMs() > nowMs
          && each.entry().bytes() <= room
          && !moving.containsKey(each.entry())) {
        verdict(each, Next.UP, Reason.ROOM_ABOVE, "there is room for it: " + fill(place));
        room -= each.entry().bytes();
      }
    }
  }

  private static long roomBytes(Place place) {
    return Math.min(place.limits().bandBytes() - place.segmentBytes(), place.freeBytes());
  }

  private void verdict(Ranked segment, Next next, Reason reason, String words) {
    moving.put(segment.entry(), new Verdict(next, reason, words));
  }

  /**
   * Why a segment is where it is, and what comes next.
   *
   * @param place null: no configured tier
   */
  Verdict of(LogDirScan.Entry entry, Place place) {
    if (entry.dangling()) {
      return stays(Reason.MISSING, "its link leads nowhere; headpond verify says more");
    }
    if (place == null) {
      return stays(Reason.FOREIGN, "its link leads into no configured tier");
    }
    if (config.homeOnly().contains(SegmentName.topic(entry.partition()))) {
      return stays(Reason.HOME_ONLY, ConfigKey.HOME_ONLY.name() + " names its topic");
    }
    if (!ranking.movable(entry)) {
      return stays(Reason.BEING_DELETED, "Kafka is about to delete or to replace it");
    }
    Verdict decided = moving.get(entry);
    return decided != null ? decided : staying(ranked.get(entry), place);
  }

  private Verdict staying(Ranked segment, Place place) {
    if (segment.rank() == MigrationPolicy.ALWAYS_UP && !place.atHome()) {
      return stays(Reason.PINNED_UP, "the policy keeps it up: " + ConfigKey.MIGRATE_PIN_UP.name());
    }
    if (segment.rank() == MigrationPolicy.NEVER_UP && place.atHome()) {
      return stays(Reason.PINNED_HOME, pinnedHome());
    }
    if (segment.active()) {
      return stays(
          Reason.ACTIVE,
          "Kafka appends to it: it stays where it was created, unless its tier is nearly full or"
              + " fails");
    }
    return place.atHome() ? stayingHome(segment, place) : stayingInTier(segment, place);
  }

  private Verdict stayingInTier(Ranked segment, Place place) {
    if (place.limits().threshold() < 0) {
      return stays(
          Reason.NO_MIGRATION,
          ConfigKey.TIER_THRESHOLD.name().replace("NAME", place.tier())
              + "=-1: nothing moves out of the tier or into it");
    }
    if (place.segmentBytes() <= place.limits().thresholdBytes()) {
      return stays(Reason.BELOW_THRESHOLD, fill(place));
    }
    return stays(Reason.COLDER_ONES_FIRST, fill(place) + "; it is enough that colder ones go");
  }

  private Verdict stayingHome(Ranked segment, Place place) {
    if (segment.downAtMs() <= nowMs) {
      return stays(Reason.TOO_OLD, tooOld());
    }
    List<Place> open =
        ranking.places().stream()
            .filter(tier -> !tier.atHome() && tier.limits().threshold() >= 0)
            .toList();
    if (open.isEmpty()) {
      return stays(Reason.NO_TIER, "no tier takes segments up");
    }
    boolean roomForOne = open.stream().anyMatch(tier -> roomBytes(tier) >= segment.entry().bytes());
    String fills = String.join("; ", open.stream().map(MigrationOutlook::fill).toList());
    return roomForOne
        ? stays(Reason.HOTTER_ONES_FIRST, "hotter segments take the room: " + fills)
        : stays(Reason.TIER_FULL, "there is no room above: " + fills);
  }

  private static Verdict stays(Reason reason, String words) {
    return new Verdict(Next.STAYS, reason, words);
  }

  private static String aboveThreshold(Place place, int before) {
    return fill(place)
        + (before == 0 ? "; it goes first" : "; " + Units.count(before, "segment") + " before it");
  }

  private String tooOld() {
    return "it wasn't appended to for longer than the policy "
        + config.migratePolicyName()
        + " allows";
  }

  private static String pinnedHome() {
    return "the policy keeps it out of the tiers: " + ConfigKey.MIGRATE_PIN_HOME.name();
  }

  /** {@code pmem holds 42 %, threshold 50 %, takes up below 45 %}. */
  static String fill(Place place) {
    long capacity = place.limits().capacityBytes();
    String holds = place.tier() + " holds " + Units.share(place.segmentBytes(), capacity);
    if (place.limits().threshold() < 0) {
      return holds + ", no threshold";
    }
    return holds
        + ", threshold "
        + Units.share(place.limits().thresholdBytes(), capacity)
        + ", takes up below "
        + Units.share(Math.max(0, place.limits().bandBytes()), capacity);
  }
}
