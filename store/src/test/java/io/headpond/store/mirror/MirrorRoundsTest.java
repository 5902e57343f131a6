// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MirrorRoundsTest {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(1);

  private final long seed = Long.getLong("headpond.test.seed", System.nanoTime());

  @Test
  void shortRoundsBeginLate() {
    final MirrorRounds rounds = new MirrorRounds(LIMIT);
    rounds.ended(16 << 20, millis(20));
    assertThat(first(rounds, 16 << 20)).isBetween(millis(650), millis(700));
  }

  @Test
  void aRoundBeginsEarlyWhereTheOneBeforeTookLong() {
    final MirrorRounds rounds = new MirrorRounds(LIMIT);
    rounds.ended(16 << 20, millis(250));
    assertThat(first(rounds, 16 << 20)).isBetween(millis(250), millis(300));
  }

  @Test
  void aRoundBeginsEarlyWhereMuchMoreIsToBeCopied() {
    final MirrorRounds rounds = new MirrorRounds(LIMIT);
    rounds.ended(1 << 20, millis(20));
    assertThat(first(rounds, 16 << 20)).isBetween(millis(250), millis(300));
  }

  @Test
  void theFirstOneWithBytesBeginsAtOnceAsNobodyKnowsWhatItTakes() {
    final MirrorRounds rounds = new MirrorRounds(LIMIT);
    rounds.ended(0, 1);
    assertThat(rounds.due(millis(250), 1)).isTrue();
    assertThat(rounds.due(millis(690), 0)).isFalse();
    assertThat(rounds.due(millis(700), 0)).isTrue();
  }

  @Test
  void noLimitBringsRoundsCloserThanTheyCanBeLookedFor() {
    final MirrorRounds rounds = new MirrorRounds(1);
    assertThat(rounds.lookNanos()).isGreaterThanOrEqualTo(millis(1));
    assertThat(rounds.earliestNanos()).isGreaterThanOrEqualTo(millis(1));
    assertThat(new MirrorRounds(TimeUnit.HOURS.toNanos(1)).due(millis(1_500), 0)).isTrue();
  }

  /** Whatever is appended, where home takes it in two thirds of the time: nobody waits. */
  @Test
  void nothingIsEverFurtherBehindThanTheLimit() {
    System.out.println("seed " + seed);
    final SplittableRandom random = new SplittableRandom(seed);
    for (int life = 0; life < 200; life++) {
      final MirrorRounds rounds = new MirrorRounds(LIMIT);
      final double homeBytesPerNano = 0.01 + random.nextDouble();
      final long forceNanos = millis(1 + random.nextInt(40));
      long now = 0;
      long begun = 0;
      double behind = 0;
      for (int round = 0; round < 50; round++) {
        final double load =
            homeBytesPerNano * (random.nextInt(4) == 0 ? 0 : random.nextDouble() / 1.5);
        while (!rounds.due(now - begun, (long) behind)) {
          now += rounds.lookNanos();
          behind += load * rounds.lookNanos();
        }
        final long from = begun;
        begun = now;
        final long took = forceNanos + (long) (behind / homeBytesPerNano);
        now += took;
        rounds.ended((long) behind, took);
        behind = load * took;
        assertThat(now - from).as("life %d, round %d", life, round).isLessThanOrEqualTo(LIMIT);
      }
    }
  }

  private static long first(final MirrorRounds rounds, final long behind) {
    long now = 0;
    while (!rounds.due(now, behind)) {
      now += millis(1);
    }
    return now;
  }

  private static long millis(final long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
