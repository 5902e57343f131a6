// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.BrokerSnapshot.Place;
import io.headpond.nio.KafkaTimeIndex;
import io.headpond.store.DataAge;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Choice;
import io.headpond.store.migrate.MigrationRules;
import io.headpond.store.migrate.MoveReason;
import io.headpond.store.migrate.Situation;
import io.headpond.store.migrate.StayReason;
import io.headpond.store.migrate.TierState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The moves that migration makes if nothing is appended, read or deleted from now on, in the words
 * of {@code explain}. The store's {@link MigrationRules} choose them, one after another, until
 * nothing is left to move.
 */
final class MigrationOutlook {
  /** The reasons why migration doesn't know a segment; scripts read the names in lower case. */
  enum Unknown {
    MISSING,
    FOREIGN,
    BEING_DELETED
  }

  /** The next step of a segment; scripts read the names in lower case. */
  enum Next {
    STAYS,
    DOWN,
    UP
  }

  /**
   * The next move of a segment, and its reason.
   *
   * @param reason as scripts read it
   * @param words a sentence for people
   */
  record Verdict(String next, String reason, String words) {
    Verdict(Next next, Enum<?> reason, String words) {
      this(key(next), key(reason), words);
    }

    private static String key(Enum<?> each) {
      return each.name().toLowerCase(Locale.ROOT);
    }
  }

  private final StoreConfig config;
  private final BrokerSnapshot snapshot;
  private final long nowMs;
  private final DataAge dataAge;
  private final Situation<Path> before;
  private final Map<LogDirScan.Entry, Verdict> moving = new HashMap<>();
  private final Map<Path, Integer> leaving = new HashMap<>();
  private OutlookSegment blocked;

  /** Lets the rules choose until nothing is left to move. */
  MigrationOutlook(StoreConfig config, BrokerSnapshot snapshot, long nowMs) {
    this.config = config;
    this.snapshot = snapshot;
    this.nowMs = nowMs;
    dataAge = new DataAge(KafkaTimeIndex::newestMs, config.placementMaxAge().toMillis());
    MovedSegments moved = new MovedSegments(snapshot);
    before = moved.situation(config, dataAge, nowMs);
    choose(moved);
  }

  private void choose(MovedSegments moved) {
    // Each segment comes to rest after a few moves: this only bounds what a policy may do.
    for (long moves = 0; moves < 4L * snapshot.segments().size(); ) {
      Situation<Path> now = moved.situation(config, dataAge, nowMs);
      Choice<Path, OutlookSegment> choice = MigrationRules.next(now, moved);
      blocked = choice.blocked();
      if (choice.move() != null) {
        moving.computeIfAbsent(choice.move().segment().entry(), entry -> verdict(choice.move()));
        moved.move(choice.move().segment(), choice.move().to());
        moves++;
      } else if (choice.undated() != null) {
        long newestMs = dataAge.newestMs(choice.undated().entry().name());
        moved.date(choice.undated(), newestMs, now.oldBeforeMs());
      } else {
        break;
      }
    }
  }

  private Verdict verdict(Choice.Move<Path, OutlookSegment> move) {
    String words =
        switch (move.reason()) {
          case TIER_FAILED -> "the device of its tier failed";
          case TIER_DRAINING -> "its tier is being drained";
          case HOME_ONLY -> homeOnly();
          case ABOVE_THRESHOLD -> aboveThreshold(snapshot.place(move.segment().directory()));
          case PINNED_HOME -> pinnedHome();
          case TOO_OLD -> tooOld();
          case HOTTER_BELOW ->
              "a hotter one below needs its room: "
                  + fill(snapshot.place(move.segment().directory()));
          case HOME_LOW -> "its home is at its reserve, " + ConfigKey.HOME_RESERVE.name();
          case ROOM_ABOVE -> roomAbove(snapshot.place(move.to()));
        };
    return new Verdict(move.down() ? Next.DOWN : Next.UP, move.reason(), words);
  }

  private String aboveThreshold(Place place) {
    int first = leaving.merge(place.path(), 1, Integer::sum) - 1;
    return fill(place)
        + (first == 0 ? "; it goes first" : "; " + Units.count(first, "segment") + " before it");
  }

  /** A descent that is foreseen, or that was published, holds it up. */
  private String roomAbove(Place place) {
    String room = "there is room for it: " + fill(place);
    boolean others =
        leaving.keySet().stream().anyMatch(path -> snapshot.place(path).level() == place.level());
    Duration after = config.internals().upAfter();
    long left = others ? after.toMillis() : place.lastDescentMs() + after.toMillis() - nowMs;
    return left <= 0
        ? room
        : room
            + "; not within "
            + Units.duration(Duration.ofMillis(left))
            + (others
                ? " after others had to leave that tier"
                : ", because others had to leave it");
  }

  /**
   * The next move of a segment, or why it stays.
   *
   * @param place null: no configured tier
   */
  Verdict of(LogDirScan.Entry entry, Place place) {
    if (entry.dangling()) {
      return stays(Unknown.MISSING, "its link leads nowhere; headpond verify says more");
    }
    if (place == null) {
      return stays(Unknown.FOREIGN, "its link leads into no configured tier");
    }
    Verdict decided = moving.get(entry);
    if (decided != null) {
      return decided;
    }
    OutlookSegment segment = snapshot.segments().get(entry);
    if (config.homeOnly().match(SegmentName.topic(entry.partition()))) {
      String stuck = segment == null ? "" : "; home has no room for it";
      return stays(MoveReason.HOME_ONLY, homeOnly() + stuck);
    }
    if (segment == null) {
      return stays(Unknown.BEING_DELETED, "Kafka is about to delete or to replace it");
    }
    return segment == blocked
        ? stays(StayReason.NO_ROOM_BELOW, fill(place) + "; nothing below has room for it")
        : staying(segment, place);
  }

  private Verdict staying(OutlookSegment segment, Place place) {
    StayReason reason = MigrationRules.staying(before, segment, place.state());
    return stays(
        reason,
        switch (reason) {
          case PINNED_UP -> ConfigKey.MIGRATE_PIN_UP.name() + " names its topic";
          case PINNED_HOME -> pinnedHome();
          case EXISTING ->
              "it was written before Headpond came to its log directory, and comes up only when"
                  + " asked: headpond migrate --up, or "
                  + ConfigKey.MIGRATE_PIN_UP.name();
          case ACTIVE ->
              "Kafka appends to it: it stays where it was created, unless its tier is nearly full"
                  + " or fails";
          case NO_MIGRATION ->
              ConfigKey.TIER_THRESHOLD.name().replace("NAME", place.tier())
                  + "=-1: nothing moves out of the tier or into it";
          case BELOW_THRESHOLD -> fill(place);
          case DELETED_SOON -> "Kafka deletes it soon, by its retention";
          case COLDER_ONES_FIRST -> fill(place) + "; it is enough that colder ones go";
          case TOO_OLD -> tooOld();
          case NO_TIER -> "no tier takes segments up";
          case HOTTER_ONES_FIRST -> "hotter segments take the room: " + fills();
          case TIER_FULL -> "there is no room above: " + fills();
          case NO_ROOM_BELOW -> throw new AssertionError(segment.entry());
        });
  }

  private String fills() {
    return String.join(
        "; ",
        snapshot.places().stream()
            .filter(place -> !place.atHome() && place.state().migrates())
            .map(MigrationOutlook::fill)
            .toList());
  }

  private static Verdict stays(Enum<?> reason, String words) {
    return new Verdict(Next.STAYS, reason, words);
  }

  private static String homeOnly() {
    return ConfigKey.HOME_ONLY.name() + " names its topic";
  }

  private String tooOld() {
    return "it wasn't appended to for longer than the policy "
        + config.migratePolicyName()
        + " allows";
  }

  private static String pinnedHome() {
    return "the policy keeps it out of the tiers";
  }

  /** {@code pmem holds 42 %, threshold 50 %, takes up below 45 %}; or that its device failed. */
  static String fill(Place place) {
    TierState<Path> state = place.state();
    if (state.failed()) {
      return place.tier() + ", whose device failed, takes nothing";
    }
    if (state.draining()) {
      return place.tier() + ", which is being drained, takes nothing";
    }
    long capacity = state.limits().capacityBytes();
    String holds = place.tier() + " holds " + Units.share(state.segmentBytes(), capacity);
    if (!state.migrates()) {
      return holds + ", no threshold";
    }
    return holds
        + ", threshold "
        + Units.share(state.limits().thresholdBytes(), capacity)
        + ", takes up below "
        + Units.share(Math.max(0, state.limits().bandBytes()), capacity);
  }
}
