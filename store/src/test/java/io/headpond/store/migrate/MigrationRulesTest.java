// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.migrate.Situation.HomeState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The rules of choice, alone: no store, no device, no clock. */
class MigrationRulesTest {
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Path HOME = Path.of("/logs");
  private static final Path OTHER_HOME = Path.of("/other");

  /** Segments from this number on belong to the other log directory. */
  private static final long OF_OTHER = 100;

  private static final long MIB = 1 << 20;
  private static final long NOW_MS = 1_000_000;

  /** A segment as a value; its place is a tier's name. */
  private record Segment(
      long id,
      String directory,
      long bytes,
      boolean active,
      boolean existing,
      double rank,
      long downAtMs,
      long lastAppendMs,
      OptionalLong newestMs)
      implements RankedSegment<String>, Candidate<String> {
    @Override
    public Path home() {
      return id < OF_OTHER ? HOME : OTHER_HOME;
    }

    @Override
    public Path partition() {
      return home().resolve("orders-" + id);
    }

    @Override
    public String fileName() {
      return "00000000000000000000.log";
    }

    Segment in(final String other) {
      return new Segment(
          id, other, bytes, active, existing, rank, downAtMs, lastAppendMs, newestMs);
    }

    Segment asActive() {
      return new Segment(
          id, directory, bytes, true, existing, rank, downAtMs, lastAppendMs, newestMs);
    }

    Segment ranked(final double other) {
      return new Segment(
          id, directory, bytes, active, existing, other, downAtMs, lastAppendMs, newestMs);
    }

    Segment downAt(final long ms) {
      return new Segment(id, directory, bytes, active, existing, rank, ms, lastAppendMs, newestMs);
    }

    Segment ofBytes(final long other) {
      return new Segment(
          id, directory, other, active, existing, rank, downAtMs, lastAppendMs, newestMs);
    }

    Segment asExisting() {
      return new Segment(
          id, directory, bytes, active, true, rank, downAtMs, lastAppendMs, newestMs);
    }

    Segment undated() {
      return new Segment(
          id,
          directory,
          bytes,
          active,
          existing,
          rank,
          downAtMs,
          lastAppendMs,
          OptionalLong.empty());
    }
  }

  /** The order of some segments, all of which may move. */
  private static final class Segments implements Candidates<String, Segment> {
    private final RankOrder<String, Segment> ranks;
    private final RankOrder.Movable<Segment> movable;

    Segments(final Predicate<Segment> homeOnly, final Collection<Segment> segments) {
      this(new RankOrder<>(homeOnly), segment -> true);
      segments.forEach(ranks::add);
    }

    private Segments(
        final RankOrder<String, Segment> ranks, final RankOrder.Movable<Segment> movable) {
      this.ranks = ranks;
      this.movable = movable;
    }

    @Override
    public Segments without(final Set<Path> homes) {
      return new Segments(ranks, segment -> !homes.contains(segment.home()));
    }

    @Override
    public Segment coldest(final String directory, final long spareBeforeMs) {
      return ranks.coldest(directory, spareBeforeMs, movable);
    }

    @Override
    public Segment coldestActive(final String directory) {
      return ranks.coldestActive(directory, movable);
    }

    @Override
    public Segment homeward(final String directory) {
      return ranks.homeward(directory, movable);
    }

    @Override
    public Segment any(final String directory) {
      return ranks.any(directory, movable);
    }

    @Override
    public Segment activeAtHome(final Predicate<Path> of) {
      return ranks.anyActive(null, of, movable);
    }

    @Override
    public Segment hottest(final Collection<String> directories, final long bytesMax) {
      return ranks.hottest(directories, bytesMax, movable);
    }
  }

  private final List<List<TierState<String>>> tiers = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();
  private Descent descent = Descent.NONE;
  private HomeState home = new HomeState(1_000 * MIB, false);
  private HomeState otherHome = new HomeState(1_000 * MIB, false);
  private Predicate<Segment> homeOnly = segment -> false;
  private double swapMargin = Double.POSITIVE_INFINITY;
  private long deletedSoonBeforeMs = Long.MIN_VALUE;
  private long oldBeforeMs = Age.NOTHING_IS_OLD;

  /** A sealed segment of 1 MiB, the hotter the larger its number. */
  private static Segment sealed(final long id, final String directory) {
    return new Segment(
        id, directory, MIB, false, false, id, Long.MAX_VALUE, 10 * id, OptionalLong.of(0));
  }

  /** A tier directory of 100 MiB. */
  private static TierState<String> tier(
      final String name, final double threshold, final long usedMib) {
    return new TierState<>(
        name,
        new TierLimits(100 * MIB, threshold),
        usedMib * MIB,
        0,
        0,
        (100 - usedMib) * MIB,
        false,
        false);
  }

  private static TierState<String> failed(final TierState<String> tier) {
    return new TierState<>(
        tier.directory(), tier.limits(), tier.segmentBytes(), 0, 0, 0, true, false);
  }

  private void tiers(final List<TierState<String>> fastestFirst) {
    tiers.clear();
    fastestFirst.forEach(tier -> tiers.add(List.of(tier)));
  }

  private Situation<String> now() {
    return new Situation<>(
        tiers,
        tiers.stream().map(tier -> tier == tiers.get(0) ? descent : Descent.NONE).toList(),
        Map.of(HOME, home, OTHER_HOME, otherHome),
        0,
        NOW_MS,
        swapMargin,
        deletedSoonBeforeMs,
        oldBeforeMs);
  }

  private Choice<String, Segment> next() {
    return MigrationRules.next(now(), new Segments(homeOnly, segments));
  }

  private void assertMove(final long id, final String to, final MoveReason reason) {
    final Choice.Move<String, Segment> move = next().move();
    assertThat(move).as("a move").isNotNull();
    assertThat(move.segment().id()).isEqualTo(id);
    assertThat(move.to()).isEqualTo(to);
    assertThat(move.reason()).isEqualTo(reason);
  }

  private void assertNothing() {
    assertThat(next()).isEqualTo(new Choice<String, Segment>(null, null, null));
  }

  @Test
  void theColdestLeavesATierAboveItsThreshold() {
    tiers(List.of(tier("fast", 0.5, 51)));
    segments.addAll(List.of(sealed(2, "fast"), sealed(1, "fast"), sealed(0, "fast").asActive()));
    assertMove(1, null, MoveReason.ABOVE_THRESHOLD);
    assertThat(next().move().down()).isTrue();
    tiers(List.of(tier("fast", 0.5, 50)));
    assertNothing();
    tiers(List.of(tier("fast", -1, 99)));
    assertNothing();
  }

  @Test
  void whatIsOnItsWayOutCountsAsGone() {
    final TierState<String> tier = tier("fast", 0.5, 51);
    tiers(
        List.of(
            new TierState<>(
                "fast", tier.limits(), 51 * MIB, MIB, 0, tier.roomBytes(), false, false)));
    segments.add(sealed(1, "fast"));
    assertNothing();
  }

  @Test
  void whatIsDeletedSoonIsSparedUntilTheTierIsPressed() {
    segments.addAll(List.of(sealed(1, "fast"), sealed(2, "fast")));
    deletedSoonBeforeMs = 15;
    tiers(List.of(tier("fast", 0.5, 60)));
    assertMove(2, null, MoveReason.ABOVE_THRESHOLD);
    tiers(List.of(tier("fast", 0.5, 75)));
    assertMove(1, null, MoveReason.ABOVE_THRESHOLD);
  }

  @Test
  void anActiveOneLeavesOnlyATierThatIsPressed() {
    segments.add(sealed(1, "fast").asActive());
    tiers(List.of(tier("fast", 0.5, 74)));
    assertNothing();
    tiers(List.of(tier("fast", 0.5, 75)));
    assertMove(1, null, MoveReason.ABOVE_THRESHOLD);
  }

  @Test
  void theNextTierComesBeforeHome() {
    segments.add(sealed(1, "fast"));
    tiers(List.of(tier("fast", 0.5, 60), tier("slow", 0.5, 98)));
    assertMove(1, "slow", MoveReason.ABOVE_THRESHOLD);
    tiers(List.of(tier("fast", 0.5, 60), tier("slow", -1, 99)));
    assertMove(1, null, MoveReason.ABOVE_THRESHOLD);
  }

  @Test
  void withoutRoomBelowTheSegmentIsNamed() {
    segments.add(sealed(1, "fast"));
    home = new HomeState(MIB - 1, false);
    tiers(List.of(tier("fast", 0.5, 60)));
    assertThat(next().move()).isNull();
    assertThat(next().blocked().id()).isEqualTo(1);
    home = new HomeState(MIB, false);
    assertMove(1, null, MoveReason.ABOVE_THRESHOLD);
    segments.set(0, sealed(1, "fast").asActive());
    tiers(List.of(tier("fast", 0.5, 80)));
    assertThat(next().blocked().id()).as("it goes on growing there").isEqualTo(1);
  }

  @Test
  void aFullHomeKeepsNothingOfAnotherOneInATierAboveItsThreshold() {
    segments.addAll(List.of(sealed(1, "fast"), sealed(2, "fast"), sealed(100, "fast")));
    tiers(List.of(tier("fast", 0.5, 60)));
    home = new HomeState(0, true);
    assertMove(100, null, MoveReason.ABOVE_THRESHOLD);
    otherHome = new HomeState(0, true);
    assertThat(next().move()).isNull();
    assertThat(next().blocked().id()).as("the coldest").isEqualTo(1);
  }

  @Test
  void aFullHomeKeepsNothingOfAnotherOneInAFailedTier() {
    segments.addAll(List.of(sealed(2, "fast").asActive(), sealed(100, "fast")));
    tiers(List.of(failed(tier("fast", 0.5, 10))));
    home = new HomeState(0, true);
    assertMove(100, null, MoveReason.TIER_FAILED);
  }

  @Test
  void aFullHomeKeepsNoTopicOfAnotherOneFromGoingHome() {
    segments.add(sealed(1, "fast").ranked(MigrationPolicy.NEVER_UP));
    segments.add(sealed(100, "fast").ranked(MigrationPolicy.NEVER_UP));
    homeOnly = segment -> true;
    tiers(List.of(tier("fast", -1, 1)));
    home = new HomeState(0, true);
    assertMove(100, null, MoveReason.HOME_ONLY);
  }

  @Test
  void aPinnedOneNeverLeavesATierThatWorks() {
    segments.add(sealed(1, "fast").ranked(MigrationPolicy.ALWAYS_UP));
    tiers(List.of(tier("fast", 0.5, 90)));
    assertNothing();
    assertThat(MigrationRules.staying(now(), segments.get(0), tiers.get(0).get(0)))
        .isEqualTo(StayReason.PINNED_UP);
    tiers(List.of(failed(tier("fast", 0.5, 10))));
    assertMove(1, null, MoveReason.TIER_FAILED);
  }

  @Test
  void aFailedTierIsLeftByActiveSegmentsFirst() {
    segments.addAll(List.of(sealed(1, "fast").asActive(), sealed(2, "fast")));
    tiers(List.of(tier("faster", 0.5, 10), failed(tier("fast", 0.5, 10))));
    assertMove(1, null, MoveReason.TIER_FAILED);
    home = new HomeState(0, true);
    assertMove(1, "faster", MoveReason.TIER_FAILED);
    assertThat(next().move().down()).isFalse();
  }

  @Test
  void anEmptyActiveOneGoesToNoHomeAtItsReserve() {
    segments.add(sealed(1, "fast").ofBytes(0).asActive().ranked(MigrationPolicy.NEVER_UP));
    homeOnly = segment -> true;
    tiers(List.of(tier("fast", -1, 0)));
    assertMove(1, null, MoveReason.HOME_ONLY);
    home = new HomeState(-1, true);
    assertNothing();
  }

  @Test
  void aTopicThatStaysHomeGoesHomeWithoutNeed() {
    segments.add(sealed(1, "fast").ranked(MigrationPolicy.NEVER_UP));
    homeOnly = segment -> true;
    tiers(List.of(tier("fast", -1, 1), tier("slow", -1, 1)));
    assertMove(1, null, MoveReason.HOME_ONLY);
    home = new HomeState(0, true);
    assertNothing();
  }

  @Test
  void whatThePolicyWantsDownGoesWithoutNeed() {
    tiers(List.of(tier("fast", 0.5, 10)));
    segments.add(sealed(1, "fast").ranked(MigrationPolicy.NEVER_UP));
    assertMove(1, null, MoveReason.PINNED_HOME);
    segments.set(0, sealed(1, "fast").downAt(NOW_MS));
    assertMove(1, null, MoveReason.TOO_OLD);
    segments.set(0, sealed(1, "fast").downAt(NOW_MS + 1));
    assertNothing();
  }

  @Test
  void theHottestComesUpIntoTheRoomBelowTheBand() {
    segments.addAll(List.of(sealed(1, null), sealed(2, null), sealed(3, null).ofBytes(2 * MIB)));
    tiers(List.of(tier("fast", 0.5, 44)));
    assertMove(2, "fast", MoveReason.ROOM_ABOVE);
    tiers(List.of(tier("fast", 0.5, 43)));
    assertMove(3, "fast", MoveReason.ROOM_ABOVE);
    tiers(List.of(tier("fast", 0.5, 45)));
    assertNothing();
    assertThat(MigrationRules.staying(now(), segments.get(0), null))
        .isEqualTo(StayReason.TIER_FULL);
  }

  @Test
  void nothingComesUpWhileAndShortlyAfterOneGoesDown() {
    segments.addAll(List.of(sealed(1, "fast"), sealed(2, null)));
    tiers(List.of(tier("fast", 0.5, 10), tier("slow", 0.5, 10)));
    descent = Descent.UNDER_WAY;
    assertNothing();
    descent = Descent.LATELY;
    assertNothing();
    descent = Descent.NONE;
    assertMove(2, "fast", MoveReason.ROOM_ABOVE);
  }

  @Test
  void aSlowerTierTakesUpWhatTheFasterHasNoRoomFor() {
    segments.add(sealed(1, null));
    tiers(List.of(tier("fast", 0.5, 45), tier("slow", 0.5, 10)));
    descent = Descent.LATELY;
    assertMove(1, "slow", MoveReason.ROOM_ABOVE);
  }

  @Test
  void aDescentHoldsUpNeitherPinnedNorClearlyHotterOnes() {
    descent = Descent.LATELY;
    tiers(List.of(tier("fast", 0.5, 10)));
    segments.addAll(List.of(sealed(1, "fast"), sealed(2, null)));
    swapMargin = 0.9;
    assertMove(2, "fast", MoveReason.ROOM_ABOVE);
    swapMargin = 1;
    assertNothing();
    segments.set(1, sealed(2, null).ranked(MigrationPolicy.ALWAYS_UP));
    assertMove(2, "fast", MoveReason.ROOM_ABOVE);
    descent = Descent.UNDER_WAY;
    assertNothing();
  }

  @Test
  void aDescentHoldsUpNoActiveOneOfALowHome() {
    descent = Descent.UNDER_WAY;
    segments.add(sealed(1, null).asActive());
    tiers(List.of(tier("fast", -1, 10)));
    home = new HomeState(0, true);
    assertMove(1, "fast", MoveReason.HOME_LOW);
  }

  @Test
  void whatWasThereBeforeStaysAtHomeUnlessItIsPinned() {
    segments.addAll(List.of(sealed(2, null).asExisting(), sealed(1, null)));
    tiers(List.of(tier("fast", 0.5, 10)));
    assertMove(1, "fast", MoveReason.ROOM_ABOVE);
    segments.remove(1);
    assertNothing();
    assertThat(MigrationRules.staying(now(), segments.get(0), null)).isEqualTo(StayReason.EXISTING);
    segments.set(0, segments.get(0).ranked(MigrationPolicy.ALWAYS_UP));
    assertMove(2, "fast", MoveReason.ROOM_ABOVE);
    segments.set(0, sealed(2, "fast").asExisting());
    tiers(List.of(tier("fast", 0.5, 51)));
    assertMove(2, null, MoveReason.ABOVE_THRESHOLD);
  }

  @Test
  void existingOnesMakeNoRoomByBeingHotter() {
    segments.addAll(List.of(sealed(1, "fast"), sealed(9, null).asExisting()));
    tiers(List.of(tier("fast", 0.5, 45)));
    swapMargin = 1;
    assertNothing();
  }

  @Test
  void whatIsHeldBackIsNoRoomToComeUpInto() {
    segments.add(sealed(1, null));
    final TierState<String> tier = tier("fast", 0.5, 10);
    tiers(List.of(new TierState<>("fast", tier.limits(), 10 * MIB, 0, 0, MIB - 1, false, false)));
    assertNothing();
  }

  @Test
  void theAgeOfItsDataIsSettledBeforeOneComesUp() {
    segments.add(sealed(1, null).undated());
    tiers(List.of(tier("fast", 0.5, 10)));
    oldBeforeMs = 5;
    assertThat(next().undated().id()).isEqualTo(1);
    assertThat(next().move()).isNull();
    oldBeforeMs = 11; // it was appended to before: nobody looks
    assertMove(1, "fast", MoveReason.ROOM_ABOVE);
  }

  @Test
  void aClearlyHotterOneTakesThePlaceOfTheColdest() {
    segments.addAll(List.of(sealed(1, "fast"), sealed(2, null)));
    tiers(List.of(tier("fast", 0.5, 45)));
    swapMargin = 0.9;
    assertMove(1, null, MoveReason.HOTTER_BELOW);
    swapMargin = 1;
    assertNothing();
  }

  @Test
  void anActiveOneLeavesAHomeAtItsReserve() {
    segments.add(sealed(1, null).asActive());
    tiers(List.of(tier("fast", -1, 10)));
    assertNothing();
    home = new HomeState(0, true);
    assertMove(1, "fast", MoveReason.HOME_LOW);
  }

  @Test
  void aChoiceDependsOnNothingButItsInput() {
    final Random random = new Random(SEED);
    for (int round = 0; round < 2_000; round++) {
      chance(random);
      final Choice<String, Segment> choice = next();
      assertThat(next()).as("seed %d, round %d", SEED, round).isEqualTo(choice);
      if (choice.move() != null) {
        assertSound(choice.move(), "seed " + SEED + ", round " + round);
      }
    }
  }

  private void chance(final Random random) {
    tiers(
        List.of(
            tier("fast", random.nextInt(10) / 10.0 - 0.1, random.nextInt(101)),
            tier("slow", random.nextInt(10) / 10.0 - 0.1, random.nextInt(101))));
    if (random.nextInt(5) == 0) {
      tiers.set(0, List.of(failed(tiers.get(0).get(0))));
    }
    home = new HomeState((random.nextInt(100) - 20) * MIB, random.nextBoolean());
    descent = Descent.values()[random.nextInt(3)];
    swapMargin = random.nextBoolean() ? 1 : Double.POSITIVE_INFINITY;
    deletedSoonBeforeMs = random.nextInt(100);
    segments.clear();
    for (int id = 0; id < random.nextInt(20); id++) {
      final Segment segment =
          sealed(id, random.nextInt(3) == 0 ? null : random.nextBoolean() ? "fast" : "slow")
              .ofBytes(random.nextInt(31) * MIB);
      final Segment dated = random.nextInt(4) == 0 ? segment.asExisting() : segment;
      segments.add(random.nextInt(4) == 0 ? dated.asActive() : dated);
    }
  }

  /** It leads elsewhere, into room that is there, and not back up into a tier that is full. */
  private void assertSound(final Choice.Move<String, Segment> move, final String which) {
    final Segment segment = move.segment();
    assertThat(move.to()).as(which).isNotEqualTo(segment.directory());
    if (move.to() == null) {
      assertThat(home.roomBytes()).as(which).isGreaterThanOrEqualTo(segment.bytes());
      return;
    }
    final TierState<String> to = tiers.get(move.to().equals("fast") ? 0 : 1).get(0);
    assertThat(to.failed()).as(which).isFalse();
    assertThat(to.roomBytes()).as(which).isGreaterThanOrEqualTo(segment.bytes());
    if (move.reason() == MoveReason.ROOM_ABOVE) {
      assertThat(segment.existing() && segment.directory() == null).as(which).isFalse();
      assertThat(to.segmentBytes() + segment.bytes())
          .as(which)
          .isLessThanOrEqualTo(to.limits().bandBytes());
    }
  }
}
