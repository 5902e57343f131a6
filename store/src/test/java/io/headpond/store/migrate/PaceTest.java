// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How fast migration copies; the clock is the test's own. */
class PaceTest {
  private static final long PIECE_BYTES = 1 << 20;
  private static final long NORMAL_NANOS = 10_000;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private long nowNanos = -500_000_000; // a clock may begin anywhere

  /** Copies for so long; a piece takes the device its time. Returns bytes a second. */
  private double copy(final Pace pace, final double seconds, final double deviceBytesPerSecond) {
    final long from = nowNanos;
    long bytes = 0;
    while (nowNanos - from < seconds * 1e9) {
      nowNanos += (long) (PIECE_BYTES * 1e9 / deviceBytesPerSecond);
      nowNanos += pace.copied(PIECE_BYTES, nowNanos);
      bytes += PIECE_BYTES;
    }
    return bytes * 1e9 / (nowNanos - from);
  }

  /** The same with appends beside it, so many of which are slow. */
  private void copyBesideAppends(
      final Pace pace, final int windows, final int appends, final double slowShare) {
    for (int i = 0; i < windows; i++) {
      append(pace, appends, slowShare);
      copy(pace, 0.11, 1e9);
    }
  }

  private void append(final Pace pace, final int appends, final double slowShare) {
    for (int i = 0; i < appends; i++) {
      final boolean slow = random.nextDouble() < slowShare;
      pace.appended(slow ? 2 * NORMAL_NANOS : NORMAL_NANOS + random.nextInt(500));
    }
  }

  private Pace begun(final long limit) {
    final Pace pace = new Pace(limit, nowNanos);
    append(pace, 10_000, 0);
    pace.begin(nowNanos);
    return pace;
  }

  @ParameterizedTest
  @ValueSource(longs = {8 << 20, 200 << 20, 1_500_000_000})
  void theConfiguredLimitIsKeptWithinFivePercent(final long limit) {
    final Pace pace = new Pace(limit, nowNanos);
    pace.begin(nowNanos);
    assertThat(copy(pace, 5, 8e9)).isCloseTo(limit, within(0.05 * limit));
  }

  @Test
  void threadsShareTheLimit() {
    final long limit = 100 << 20;
    final Pace pace = begun(limit);
    pace.begin(nowNanos);
    final long from = nowNanos;
    final long[] nextNanos = {nowNanos, nowNanos};
    long bytes = 0;
    while (nowNanos - from < TimeUnit.SECONDS.toNanos(5)) {
      final int thread = nextNanos[0] <= nextNanos[1] ? 0 : 1;
      nowNanos = nextNanos[thread];
      nextNanos[thread] = nowNanos + pace.copied(PIECE_BYTES, nowNanos) + 1_000;
      bytes += PIECE_BYTES;
    }
    assertThat(bytes / 5.0).isCloseTo(limit, within(0.05 * limit));
  }

  @Test
  void aPauseIsNotMadeUpForByABurst() {
    final long limit = 100 << 20;
    final Pace pace = begun(limit);
    copy(pace, 1, 8e9);
    nowNanos += TimeUnit.SECONDS.toNanos(60);
    assertThat(copy(pace, 1, 8e9)).isCloseTo(limit, within(0.05 * limit));
  }

  @Test
  void withoutALimitAndAppendsTheDeviceIsNotHeldUp() {
    final Pace pace = new Pace(-1, nowNanos);
    pace.begin(nowNanos);
    assertThat(copy(pace, 1, 2e9)).isCloseTo(2e9, within(0.01 * 2e9));
  }

  @Test
  void besideAppendsItFeelsItsWayUpAndAtOnceWhenTheyEnd() {
    final Pace pace = begun(-1);
    assertThat(copy(pace, 0.09, 2e9)).isLessThan(1.3 * Pace.RATE_START);
    copyBesideAppends(pace, 3, 1_000, 0);
    assertThat(pace.rate())
        .as("seed %d", seed)
        .isBetween(8 * Pace.RATE_START, 16 * Pace.RATE_START);
    copy(pace, 0.11 * (Pace.QUIET_WINDOWS + 1), 2e9);
    assertThat(copy(pace, 1, 2e9)).isCloseTo(2e9, within(0.01 * 2e9));
  }

  @Test
  void theShareOfSlowAppendsIsSteeredToThatWithoutMigration() {
    final Pace pace = begun(-1);
    double slowShares = 0;
    final int windows = 300;
    for (int i = 0; i < windows; i++) {
      // The faster the copy, the more appends are slow: 4 % at 1 GB/s.
      final double slowShare = 0.04 * Math.min(1e9, pace.rate()) / 1e9;
      copyBesideAppends(pace, 1, 400, slowShare);
      slowShares += slowShare;
    }
    assertThat(slowShares / windows).as("seed %d", seed).isLessThan(1.25 * Pace.SLOW_SHARE_MAX);
    assertThat(pace.rate()).as("seed %d", seed).isGreaterThan(100e6);
  }

  @Test
  void itYieldsWhenAppendsSlowAndRecoversWhenTheyDoNot() {
    final Pace pace = begun(-1);
    copyBesideAppends(pace, 5, 1_000, 0);
    assertThat(pace.yielding()).as("seed %d", seed).isFalse();
    copyBesideAppends(pace, 5, 1_000, 0.2);
    assertThat(pace.yielding()).isTrue();
    assertThat(pace.rate()).as("from what was really copied").isLessThan(0.5e9);
    copyBesideAppends(pace, 5, 1_000, 0.2);
    final double least = pace.rate();
    assertThat(least).isGreaterThanOrEqualTo(Pace.RATE_MIN).isLessThan(100e6);
    copyBesideAppends(pace, 70, 1_000, 0);
    assertThat(pace.yielding()).isFalse();
    assertThat(pace.rate()).as("within 7 s").isGreaterThan(1e9);
  }

  @Test
  void whatIsSlowAlsoWhenNextToNothingIsCopiedIsNotMigrationsFault() {
    final Pace pace = begun(-1);
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 100; i++) {
      copyBesideAppends(pace, 1, 1_000, 0.2);
      least = Math.min(least, pace.rate());
    }
    assertThat(least).as("seed %d", seed).isEqualTo(Pace.RATE_MIN);
    copyBesideAppends(pace, 100, 1_000, 0.2);
    assertThat(pace.rate()).as("seed %d", seed).isGreaterThan(1e9);
  }

  @Test
  void itDoesNotYieldWhileATierIsAboutToBeFull() {
    final Pace pace = begun(-1);
    pace.urgent(true);
    copyBesideAppends(pace, 20, 1_000, 0.5);
    assertThat(pace.yielding()).isFalse();
    assertThat(pace.rate()).isGreaterThan(1e9);
    pace.urgent(false);
    copyBesideAppends(pace, 4, 1_000, 0.5);
    assertThat(pace.rate()).as("seed %d", seed).isLessThan(1e9);
  }

  @Test
  void itNeverYieldsBelowTheLeastRateNorAboveALowerLimit() {
    final Pace pace = begun(1 << 20);
    copyBesideAppends(pace, 20, 1_000, 0.5);
    assertThat(pace.rate()).as("the limit is below the least rate").isEqualTo(1 << 20);
  }

  @Test
  void theUsualSlowOnesAreNoReasonToYield() {
    final Pace pace = new Pace(-1, nowNanos);
    append(pace, 10_000, 0.009);
    pace.begin(nowNanos);
    int yields = 0;
    for (int i = 0; i < 200; i++) {
      copyBesideAppends(pace, 1, 1_000, 0.009);
      yields += pace.yielding() ? 1 : 0;
    }
    assertThat(yields).as("of 200 windows, seed %d", seed).isLessThan(20);
  }

  @Test
  void fewAppendsAreJudgedTogether() {
    final Pace pace = begun(-1);
    copyBesideAppends(pace, 3, 50, 0.5);
    assertThat(pace.yielding()).as("150 appends").isFalse();
    boolean yielded = false;
    for (int i = 0; i < 4; i++) {
      copyBesideAppends(pace, 1, 50, 0.5);
      yielded |= pace.yielding();
    }
    assertThat(yielded).as("200 appends, seed %d", seed).isTrue();
  }

  @Test
  void whatAppendsTookDuringAnEarlierMoveDoesNotCount() {
    final Pace pace = begun(-1);
    append(pace, 10_000, 1);
    pace.end();
    assertThat(pace.copying()).isFalse();
    append(pace, 1_000, 0);
    pace.begin(nowNanos);
    copyBesideAppends(pace, 1, 1_000, 0);
    assertThat(pace.yielding()).as("seed %d", seed).isFalse();
  }
}
