// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeldBackTest {
  private static final long MIB = 1 << 20;
  private static final long CAPACITY = 2048 * MIB;
  private static final long SEGMENT = 16 * MIB;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final HeldBack held = new HeldBack();

  private void add(
      final ExpectedSize expected, final long bytes, final long grown, final long ageNanos) {
    held.add(
        expected.growthBytes(CAPACITY, false, bytes, grown, ageNanos),
        expected.isSure(CAPACITY, bytes),
        expected.soonBytes(grown, ageNanos));
  }

  private long heldOf(final long freeBytes) {
    return freeBytes - held.leaves(freeBytes, CAPACITY);
  }

  @Test
  void aFastLogsSmallSegmentHoldsTheLastRoomBack() {
    add(ExpectedSize.of(SEGMENT, 0), 2 * MIB, 2 * MIB, SECOND / 20);
    assertThat(heldOf(17 * MIB)).isEqualTo(14 * MIB);
  }

  @Test
  void aSegmentThatWasJustBegunGrowsAsTheLastOneDid() {
    final double before = ExpectedSize.of(SEGMENT, 0).growthPerNano(SEGMENT, SECOND);
    add(ExpectedSize.of(SEGMENT, 0).at(before), 1, 1, 0);
    assertThat(heldOf(17 * MIB)).isEqualTo(SEGMENT - 1);
  }

  @Test
  void aRateThatWasNotKeptUpIsForgotten() {
    final ExpectedSize fastOnce = ExpectedSize.of(SEGMENT, 0).at((double) MIB / SECOND);
    assertThat(fastOnce.soonBytes(0, 0)).isEqualTo(60 * MIB);
    assertThat(fastOnce.soonBytes(0, 599 * SECOND)).isEqualTo(MIB / 10);
  }

  @Test
  void aThousandQuietLogsTakeNoneOfTheLastQuarter() {
    for (int i = 0; i < 1_000; i++) {
      add(ExpectedSize.of(SEGMENT, 0), MIB, 0, 600 * SECOND);
    }
    assertThat(heldOf(CAPACITY / 4)).isZero();
    assertThat(heldOf(CAPACITY / 2)).isEqualTo(CAPACITY / 4);
  }

  @Test
  void aThousandFastLogsHoldAQuarterBackAtMost() {
    for (int i = 0; i < 1_000; i++) {
      add(ExpectedSize.of(SEGMENT, 0), MIB, MIB, SECOND);
    }
    assertThat(heldOf(CAPACITY / 4)).isEqualTo(CAPACITY / 4);
    assertThat(held.leaves(CAPACITY * 3 / 4, CAPACITY)).isEqualTo(CAPACITY / 2);
  }
}
