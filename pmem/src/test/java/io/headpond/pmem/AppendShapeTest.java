// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AppendShapeTest {
  private final AppendShape shape = new AppendShape();
  private long nanos;

  private boolean after(int appends, int bytes, long tookNanos, long pauseNanos) {
    for (int i = 0; i < appends; i++) {
      long beginNanos = nanos + pauseNanos;
      nanos = beginNanos + tookNanos;
      shape.forced(bytes, beginNanos, nanos);
    }
    return shape.wantsZeros();
  }

  @Test
  void nothingIsKnownBeforeTheFirstAppendAndZerosAreWanted() {
    assertThat(shape.wantsZeros()).isTrue();
  }

  @Test
  void smallAppendsAlwaysWantZeros() {
    assertThat(after(1_000, AppendShape.SMALL_BYTES - 1, 100_000, 0)).isTrue();
  }

  @Test
  void largeAppendsNeverWantZeros() {
    assertThat(after(1, AppendShape.LARGE_BYTES, 1, 1_000_000_000)).isFalse();
  }

  @Test
  void appendsBetweenWantZerosUnlessTheyFillTheTime() {
    assertThat(after(100, 128 << 10, 100_000, 900_000)).isTrue();
    assertThat(after(100, 128 << 10, 900_000, 100_000)).isFalse();
    assertThat(after(100, 128 << 10, 100_000, 900_000)).isTrue();
  }

  @Test
  void oneLargeAppendAmongSmallOnesChangesNothing() {
    after(100, 4_096, 100_000, 0);
    assertThat(after(1, 512 << 10, 1_000_000, 0)).isTrue();
  }
}
