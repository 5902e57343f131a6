// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.Policies;
import io.headpond.store.migrate.PolicySettings;
import io.headpond.store.migrate.SegmentFacts;
import io.headpond.store.migrate.TopicPatterns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What migration knows of the segments. */
class CatalogueTest {
  private static final Path PARTITION = Path.of("/logs/orders-0");
  private static final long HALF_LIFE_MS = 1_000;
  private static final long RETRY = TimeUnit.SECONDS.toNanos(1);

  private final Catalogue catalogue = catalogue("freshness");

  /** A clock may begin anywhere, below zero too. */
  private long nowNanos = -TimeUnit.HOURS.toNanos(1);

  private static Catalogue catalogue(final String policy) {
    return new Catalogue(
        Policies.of(
            policy, new PolicySettings(Duration.ofSeconds(1)), new TopicPatterns(List.of())),
        HALF_LIFE_MS);
  }

  private static String name(final long baseOffset) {
    return String.format("%020d.log", baseOffset);
  }

  private void sealed(final long baseOffset, final long bytes, final long lastAppendMs) {
    catalogue.add(PARTITION, name(baseOffset), null, bytes, lastAppendMs, false);
  }

  private static String fileName(final SegmentCandidate candidate) {
    return candidate == null ? null : candidate.name().getFileName().toString();
  }

  @Test
  void theColdestAndTheHottestAreAtTheEndsOfTheOrder() {
    sealed(2, 10, 200);
    sealed(1, 10, 100);
    sealed(3, 10, 300);
    assertThat(fileName(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)))
        .isEqualTo(name(1));
    final SegmentCandidate hottest =
        catalogue.movable(nowNanos).hottest(Collections.singleton(null), 10);
    assertThat(fileName(hottest)).isEqualTo(name(3));
    assertThat(catalogue.movable(nowNanos).hottest(Collections.singleton(null), 9)).isNull();
  }

  @Test
  void ofEqualRanksTheOneAppendedToLastIsHottest() {
    final Catalogue pinned =
        new Catalogue(
            Policies.of(
                "freshness",
                new PolicySettings(Duration.ofSeconds(1)),
                new TopicPatterns(List.of("*"))),
            HALF_LIFE_MS);
    for (final int number : List.of(3, 4, 2, 1)) {
      pinned.add(PARTITION, name(number), null, 10, number == 4 ? 300 : 100L * number, false);
    }
    final SegmentCandidate hottest =
        pinned.movable(nowNanos).hottest(Collections.singleton(null), 10);
    assertThat(fileName(hottest)).as("of two of one time the later name").isEqualTo(name(4));
    assertThat(pinned.begin(hottest)).isTrue();
    assertThat(fileName(pinned.movable(nowNanos).hottest(Collections.singleton(null), 10)))
        .isEqualTo(name(3));
  }

  @Test
  void whatWillBeDeletedSoonIsSpared() {
    sealed(1, 10, 100);
    sealed(2, 10, 200);
    assertThat(fileName(catalogue.movable(nowNanos).coldest(null, 101))).isEqualTo(name(2));
    assertThat(fileName(catalogue.movable(nowNanos).coldest(null, 100))).isEqualTo(name(1));
    assertThat(catalogue.movable(nowNanos).coldest(null, 201)).isNull();
  }

  @Test
  void whatMovesIsInNoOrderUntilItsMoveHasEnded() {
    sealed(1, 10, 100);
    final SegmentCandidate first = catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE);
    assertThat(catalogue.begin(first)).isTrue();
    assertThat(catalogue.begin(first)).isFalse();
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)).isNull();
    catalogue.sized(PARTITION, name(1), 20, 500, OptionalLong.empty());
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)).isNull();
    catalogue.end(first, 0, nowNanos);
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE).bytes()).isEqualTo(20);
  }

  @Test
  void whatIsRemovedDuringItsMoveDoesNotComeBack() {
    sealed(1, 10, 100);
    final SegmentCandidate first = catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE);
    assertThat(catalogue.begin(first)).isTrue();
    catalogue.remove(PARTITION, name(1));
    sealed(1, 30, 300);
    catalogue.end(first, RETRY, nowNanos);
    assertThat(catalogue.segments()).isEqualTo(1);
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE).bytes()).isEqualTo(30);
  }

  @Test
  void aFailedMoveIsTriedAgainLaterAndEachTimeLater() {
    sealed(1, 10, 100);
    sealed(2, 10, 200);
    for (long pause = RETRY; pause < 16 * RETRY; pause *= 2) {
      final SegmentCandidate first = catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE);
      assertThat(fileName(first)).isEqualTo(name(1));
      assertThat(catalogue.begin(first)).isTrue();
      catalogue.end(first, RETRY, nowNanos);
      assertThat(fileName(catalogue.movable(nowNanos + pause - 1).coldest(null, Long.MIN_VALUE)))
          .isEqualTo(name(2));
      nowNanos += pause;
    }
    catalogue.moved(PARTITION, name(1), null);
    assertThat(fileName(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)))
        .isEqualTo(name(1));
  }

  @Test
  void aFailedMoveWaitsNoLongerThanThirtyTwoPauses() {
    sealed(1, 10, 100);
    final SegmentCandidate only = catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE);
    for (int i = 0; i < 100; i++) {
      assertThat(catalogue.begin(only)).isTrue();
      catalogue.end(only, RETRY, nowNanos);
    }
    final long last = nowNanos + 32 * RETRY;
    assertThat(catalogue.movable(last - 1).coldest(null, Long.MIN_VALUE)).isNull();
    assertThat(fileName(catalogue.movable(last).coldest(null, Long.MIN_VALUE))).isEqualTo(name(1));
  }

  @Test
  void whoFollowsALogsEndDoesNotReadBehindIt() {
    final long sealedMs = 1_000_000;
    catalogue.add(PARTITION, name(1), null, 10, 100, true);
    catalogue.add(PARTITION, name(2), null, 10, 100, true);
    catalogue.sealAllBut(PARTITION, name(2), sealedMs);
    catalogue.read(PARTITION, name(1), 10, sealedMs + 5_000);
    catalogue.read(PARTITION, name(2), 10, sealedMs + 9_000);
    assertThat(catalogue.readBehind(PARTITION, sealedMs + 9_000)).isFalse();
    catalogue.read(PARTITION, name(1), 10, sealedMs + 10_000);
    assertThat(catalogue.readBehind(PARTITION, sealedMs + 10_000)).isTrue();
    assertThat(catalogue.readBehind(PARTITION, sealedMs + 69_999)).isTrue();
    assertThat(catalogue.readBehind(PARTITION, sealedMs + 70_000)).isFalse();
  }

  @Test
  void aSegmentThatWasFoundSealedIsReadBehindTheEnd() {
    sealed(1, 10, 100);
    catalogue.read(PARTITION, name(1), 10, 1_000_000);
    assertThat(catalogue.readBehind(PARTITION, 1_000_000)).isTrue();
  }

  @Test
  void onlyANewSegmentOfTheLogSealsTheOthers() {
    catalogue.add(PARTITION, name(7), null, 0, 100, true);
    catalogue.sealAllBut(PARTITION, name(3) + ".cleaned", 0);
    assertThat(fileName(catalogue.movable(nowNanos).coldestActive(null))).isEqualTo(name(7));
    catalogue.add(PARTITION, name(9), null, 0, 200, true);
    catalogue.sealAllBut(PARTITION, name(9), 0);
    assertThat(fileName(catalogue.movable(nowNanos).coldestActive(null))).isEqualTo(name(9));
    assertThat(fileName(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)))
        .isEqualTo(name(7));
  }

  @Test
  void aSegmentThatGrowsAgainIsActive() {
    sealed(1, 10, 100);
    catalogue.grows(PARTITION, name(1));
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)).isNull();
    assertThat(catalogue.movable(nowNanos).coldestActive(null).active()).isTrue();
  }

  @Test
  void aRenamedPartitionTakesAnothersPlace() {
    final Path future = Path.of("/home/log/orders-0.future");
    sealed(1, 10, 100);
    sealed(2, 10, 200);
    catalogue.add(future, name(1), null, 10, 100, false);
    catalogue.renamed(future, PARTITION);
    assertThat(catalogue.segments()).isEqualTo(1);
    assertThat(catalogue.segments(null, false)).isEqualTo(1);
  }

  @Test
  void aRenamedPartitionKeepsItsSegmentsAndADeletedOneHasNone() {
    sealed(1, 10, 100);
    final Path renamed = Path.of("/logs/orders-0.abc-future");
    catalogue.renamed(PARTITION, renamed);
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE).name())
        .isEqualTo(renamed.resolve(name(1)));
    catalogue.renamed(renamed, Path.of("/logs/orders-0.abc-delete"));
    assertThat(catalogue.segments()).isZero();
    assertThat(catalogue.movable(nowNanos).coldest(null, Long.MIN_VALUE)).isNull();
    catalogue.add(Path.of("/logs/orders-0.abc-delete"), name(2), null, 1, 1, false);
    assertThat(catalogue.segments()).isZero();
  }

  @Test
  void readsMakeASegmentHotterAndAreForgotten() {
    final Catalogue heat = catalogue("heat");
    final long nowMs = 1_000_000;
    for (int i = 0; i < 3; i++) {
      heat.add(PARTITION, name(i), null, 1 << 20, nowMs + i, false);
    }
    heat.read(PARTITION, name(0), 8 << 20, nowMs + 10);
    final SegmentCandidate hottest =
        heat.movable(nowNanos).hottest(Collections.singleton(null), Long.MAX_VALUE);
    assertThat(fileName(hottest)).isEqualTo(name(0));
    heat.add(PARTITION, name(9), null, 1 << 20, nowMs + 20 * HALF_LIFE_MS, false);
    assertThat(
            fileName(heat.movable(nowNanos).hottest(Collections.singleton(null), Long.MAX_VALUE)))
        .isEqualTo(name(9));
  }

  @Test
  void aPolicyThatFailsRanksAsZeroAndBreaksNothing() {
    final Catalogue failing =
        new Catalogue(
            new MigrationPolicy() {
              @Override
              public double rank(final SegmentFacts segment) {
                if (segment.baseOffset() % 2 == 0) {
                  throw new IllegalStateException("planted");
                }
                throw new NoClassDefFoundError("planted");
              }

              @Override
              public long downAtMs(final SegmentFacts segment) {
                throw new NoClassDefFoundError("planted");
              }
            },
            HALF_LIFE_MS);
    failing.add(PARTITION, name(1), null, 1, 1, false);
    failing.add(PARTITION, name(2), null, 1, 1, false);
    final SegmentCandidate coldest = failing.movable(nowNanos).coldest(null, Long.MIN_VALUE);
    assertThat(coldest.rank()).isZero();
    assertThat(coldest.downAtMs()).isEqualTo(Long.MAX_VALUE);
  }
}
