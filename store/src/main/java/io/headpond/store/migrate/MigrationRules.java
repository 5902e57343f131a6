// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of choice: what moves next, and why. Pure functions of what they are given, for the
 * store, which makes the moves, and for those who explain them.
 *
 * <p>Segments go down while a tier directory's used share is above its threshold, and come up while
 * it is clearly below: {@link TierLimits}. A {@link Descent} holds up what would come up into its
 * tier, and what would come up into slower ones after it: the order of moves stays the same, so
 * where segments end doesn't depend on how long it lasts.
 */
public final class MigrationRules {
  /** Room that a target must have beyond the segment. */
  public static final long SLACK_BYTES = 64 << 10;

  private MigrationRules() {}

  /** The best move there is, or why there is none. */
  public static <D, C extends Candidate<D>> Choice<D, C> next(
      final Situation<D> now, final Candidates<D, C> segments) {
    return new Search<>(now, segments).next();
  }

  /**
   * The reason why a segment that isn't moved stays.
   *
   * @param tier where it lies; null: at home
   */
  public static <D> StayReason staying(
      final Situation<D> now, final Candidate<D> segment, final TierState<D> tier) {
    if (segment.rank() == MigrationPolicy.ALWAYS_UP && tier != null) {
      return StayReason.PINNED_UP;
    }
    if (segment.rank() == MigrationPolicy.NEVER_UP && tier == null) {
      return StayReason.PINNED_HOME;
    }
    if (segment.active()) {
      return StayReason.ACTIVE;
    }
    return tier == null ? stayingHome(now, segment) : stayingInTier(now, segment, tier);
  }

  private static <D> StayReason stayingInTier(
      final Situation<D> now, final Candidate<D> segment, final TierState<D> tier) {
    if (!tier.migrates()) {
      return StayReason.NO_MIGRATION;
    }
    if (tier.segmentBytes() <= tier.limits().thresholdBytes()) {
      return StayReason.BELOW_THRESHOLD;
    }
    return segment.lastAppendMs() < now.deletedSoonBeforeMs()
        ? StayReason.DELETED_SOON
        : StayReason.COLDER_ONES_FIRST;
  }

  private static <D> StayReason stayingHome(final Situation<D> now, final Candidate<D> segment) {
    if (segment.existing() && segment.rank() != MigrationPolicy.ALWAYS_UP) {
      return StayReason.EXISTING;
    }
    if (segment.downAtMs() <= now.nowMs()) {
      return StayReason.TOO_OLD;
    }
    boolean open = false;
    for (final List<TierState<D>> tier : now.tiers()) {
      for (final TierState<D> directory : tier) {
        open |= directory.migrates();
        if (directory.migrates() && roomAbove(directory) >= segment.bytes()) {
          return StayReason.HOTTER_ONES_FIRST;
        }
      }
    }
    return open ? StayReason.TIER_FULL : StayReason.NO_TIER;
  }

  /** The bytes that may come up into a tier directory now. */
  private static long roomAbove(final TierState<?> tier) {
    return Math.min(tier.belowBandBytes(), tier.roomBytes());
  }

  /** One choice. */
  private static final class Search<D, C extends Candidate<D>> {
    private final Situation<D> now;
    private final Candidates<D, C> segments;

    /** The segment without whose age a move up can't be judged. */
    private C undated;

    /** Does a move up wait for the end of a {@link Descent}? */
    private boolean heldUp;

    Search(final Situation<D> now, final Candidates<D, C> segments) {
      this.now = now;
      this.segments = segments;
    }

    Choice<D, C> next() {
      C blocked = null;
      for (int level = 0; level < now.tiers().size(); level++) {
        for (final TierState<D> tier : now.tiers().get(level)) {
          final C homeward = homeward(tier);
          if (homeward != null) {
            return chosen(homeward, null, true, MoveReason.HOME_ONLY);
          }
          final Choice<D, C> down = down(tier, level);
          if (down.move() != null) {
            return down;
          }
          blocked = down.blocked() == null ? blocked : down.blocked();
        }
      }
      Choice.Move<D, C> move = outOfLowHome();
      for (int level = 0; move == null && !waits() && level < now.tiers().size(); level++) {
        move = up(level);
      }
      return new Choice<>(move, undated, blocked);
    }

    /** True if what comes up into a slower tier has to wait as well. */
    private boolean waits() {
      return undated != null || heldUp;
    }

    private Choice<D, C> chosen(
        final C segment, final D to, final boolean down, final MoveReason reason) {
      return new Choice<>(new Choice.Move<>(segment, to, down, reason), null, null);
    }

    /** True if home has room for the segment. */
    private boolean homeHasRoom(final C segment) {
      final Situation.HomeState home = now.homes().get(segment.home());
      if (home == null) {
        return false;
      }
      // An active segment goes on growing there: home must not send it up again soon.
      final long wanted = segment.active() ? 2 * segment.bytes() : segment.bytes();
      return home.roomBytes() - now.homecomingBytes() >= wanted;
    }

    /** A segment of a topic that stays home whose home has room; null: there is none. */
    private C homeward(final TierState<D> tier) {
      final Set<Path> full = new HashSet<>();
      C found = segments.homeward(tier.directory());
      while (found != null && !homeHasRoom(found)) {
        full.add(found.home());
        found = segments.without(full).homeward(tier.directory());
      }
      return found;
    }

    /**
     * The move of what has to leave a tier directory now, or what is blocked. Log directories share
     * the tiers, but not the room at home: if the first one's home is full, another one's goes.
     */
    private Choice<D, C> down(final TierState<D> tier, final int level) {
      final Choice<D, C> first = down(tier, level, segments);
      final Set<Path> full = new HashSet<>();
      Choice<D, C> other = first;
      while (other.blocked() != null) {
        full.add(other.blocked().home());
        other = down(tier, level, segments.without(full));
      }
      return other.move() == null ? first : other;
    }

    private Choice<D, C> down(final TierState<D> tier, final int level, final Candidates<D, C> of) {
      final Leaving<C> leaving = tier.takes() ? leaving(tier, level, of) : fleeing(tier, of);
      if (leaving == null) {
        return new Choice<>(null, null, null);
      }
      final C segment = leaving.segment();
      final TierState<D> lower = roomFrom(level + 1, segment.bytes());
      if (lower != null) {
        return chosen(segment, lower.directory(), true, leaving.reason());
      }
      if (homeHasRoom(segment)) {
        return chosen(segment, null, true, leaving.reason());
      }
      final TierState<D> any = tier.takes() ? null : roomFrom(0, segment.bytes());
      return any == null
          ? new Choice<>(null, null, segment)
          : chosen(segment, any.directory(), level(any) >= level, leaving.reason());
    }

    private Leaving<C> fleeing(final TierState<D> tier, final Candidates<D, C> of) {
      final C any = of.any(tier.directory());
      return any == null
          ? null
          : new Leaving<>(any, tier.failed() ? MoveReason.TIER_FAILED : MoveReason.TIER_DRAINING);
    }

    /** The segment that has to leave a tier directory that works; null: none. */
    private Leaving<C> leaving(
        final TierState<D> tier, final int level, final Candidates<D, C> of) {
      if (!tier.migrates()) {
        return null;
      }
      final long used = tier.stayingBytes();
      final boolean pressed = used >= tier.limits().pressureBytes();
      final C coldest =
          of.coldest(tier.directory(), pressed ? Long.MIN_VALUE : now.deletedSoonBeforeMs());
      if (used > tier.limits().thresholdBytes()) {
        final C what = coldest == null && pressed ? of.coldestActive(tier.directory()) : coldest;
        return what == null ? null : new Leaving<>(what, MoveReason.ABOVE_THRESHOLD);
      }
      final MoveReason due = coldest == null ? null : due(tier, level, coldest);
      return due == null ? null : new Leaving<>(coldest, due);
    }

    /** The reason why the coldest goes though there is room for it; null: it needn't. */
    private MoveReason due(final TierState<D> tier, final int level, final C coldest) {
      if (coldest.rank() == MigrationPolicy.NEVER_UP) {
        return MoveReason.PINNED_HOME;
      }
      if (coldest.downAtMs() <= now.nowMs()) {
        return MoveReason.TOO_OLD;
      }
      return swapped(tier, level, coldest) ? MoveReason.HOTTER_BELOW : null;
    }

    /** True if the coldest must make room for something that is clearly hotter. */
    private boolean swapped(final TierState<D> tier, final int level, final C coldest) {
      final C hottest = clearlyHotter(tier, level, coldest);
      return hottest != null
          && now.tiers().get(level).stream()
              .allMatch(any -> hottest.bytes() > any.belowBandBytes() + any.leavingBytes());
    }

    /** The hottest below a tier directory, if it is worth a swap; null: it isn't. */
    private C clearlyHotter(final TierState<D> tier, final int level, final C than) {
      if (now.swapMargin() == Double.POSITIVE_INFINITY) {
        return null;
      }
      final C hottest = segments.hottest(below(level), tier.limits().thresholdBytes());
      return hottest != null && hottest.rank() > than.rank() + now.swapMargin() ? hottest : null;
    }

    /** An active segment of a home that is at its reserve goes on in a tier, if one has room. */
    private Choice.Move<D, C> outOfLowHome() {
      final C growing =
          now.anyLow() ? segments.activeAtHome(partition -> now.low(partition.getParent())) : null;
      final TierState<D> tier = growing == null ? null : roomFrom(0, growing.bytes());
      return tier == null
          ? null
          : new Choice.Move<>(growing, tier.directory(), false, MoveReason.HOME_LOW);
    }

    /** The move up into a tier; null: there is none, or it {@link #waits}. */
    private Choice.Move<D, C> up(final int level) {
      for (final TierState<D> tier : now.tiers().get(level)) {
        final boolean takes = tier.migrates() && tier.takes();
        final C hottest = takes ? hottestBelow(level, roomAbove(tier)) : null;
        if (undated != null) {
          return null;
        }
        // It would have to go again for something hotter that is too large for the room there is.
        if (hottest != null
            && hottest.downAtMs() > now.nowMs()
            && clearlyHotter(tier, level, hottest) == null) {
          if (!heldUp(tier, level, hottest)) {
            return new Choice.Move<>(hottest, tier.directory(), false, MoveReason.ROOM_ABOVE);
          }
          heldUp = true;
        }
      }
      return null;
    }

    private boolean heldUp(final TierState<D> tier, final int level, final C hottest) {
      return switch (now.descents().get(level)) {
        case UNDER_WAY -> true;
        case LATELY -> !outlastsColdest(tier, hottest);
        case NONE -> false;
      };
    }

    /** True if others in a tier directory would go before it. */
    private boolean outlastsColdest(final TierState<D> tier, final C hottest) {
      final C coldest = segments.coldest(tier.directory(), Long.MIN_VALUE);
      return hottest.rank() == MigrationPolicy.ALWAYS_UP
          || coldest != null && hottest.rank() > coldest.rank() + now.swapMargin();
    }

    /** The hottest segment below a level, by the age of its data. */
    private C hottestBelow(final int level, final long bytesMax) {
      final C hottest = bytesMax <= 0 ? null : segments.hottest(below(level), bytesMax);
      if (hottest != null
          && Age.of(hottest.lastAppendMs(), hottest.newestMs(), now.oldBeforeMs())
              != Age.AS_APPENDED) {
        undated = hottest;
        return null;
      }
      return hottest;
    }

    /** All directories below a level; null stands for home. */
    private List<D> below(final int level) {
      final List<D> below = new ArrayList<>();
      for (int i = level + 1; i < now.tiers().size(); i++) {
        now.tiers().get(i).forEach(tier -> below.add(tier.directory()));
      }
      below.add(null);
      return below;
    }

    /** The emptiest directory of the fastest tier from a level on that has room; null: none has. */
    private TierState<D> roomFrom(final int level, final long bytes) {
      for (int i = level; i < now.tiers().size(); i++) {
        final TierState<D> emptiest =
            now.tiers().get(i).stream()
                .max(Comparator.comparingLong(TierState::roomBytes))
                .orElseThrow();
        if (emptiest.roomBytes() >= bytes + SLACK_BYTES) {
          return emptiest;
        }
      }
      return null;
    }

    private int level(final TierState<D> tier) {
      int level = 0;
      while (!now.tiers().get(level).contains(tier)) {
        level++;
      }
      return level;
    }
  }

  /** A segment that has to leave its tier directory. */
  private record Leaving<C>(C segment, MoveReason reason) {}
}
