// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FillTrendTest {
  private static final long MIB = 1 << 20;
  private static final long CAPACITY = 1600 * MIB;

  private final FillTrend trend = new FillTrend();
  private long nowNanos = 7;
  private long bytes = CAPACITY / 2;

  /** Looks every tenth of a second, as copies do. */
  private void fill(final double seconds, final long bytesPerSecond) {
    for (int look = 0; look < seconds * 10; look++) {
      nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
      bytes += bytesPerSecond / 10;
      trend.looked(bytes, nowNanos);
    }
  }

  private boolean soonFull() {
    return trend.soonFull(CAPACITY - bytes);
  }

  @Test
  void aBurstIsSeenWithinItsFirstSecond() {
    fill(5, 0);
    assertThat(soonFull()).isFalse();
    fill(1.1, 100 * MIB);
    assertThat(soonFull()).isTrue();
  }

  @Test
  void aDirectoryThatFillsSlowlyIsNotSoonFull() {
    fill(20, MIB);
    assertThat(soonFull()).isFalse();
  }

  @Test
  void aBurstThatIsOverIsForgottenWithinSeconds() {
    fill(5, 100 * MIB);
    fill(3, -40 * MIB);
    assertThat(soonFull()).isFalse();
  }

  @Test
  void oneSegmentThatComesAndGoesIsNoTrend() {
    for (int i = 0; i < 40; i++) {
      fill(0.5, 25 * MIB);
      assertThat(soonFull()).as("after " + i).isFalse();
      fill(0.5, -25 * MIB);
    }
  }

  @Test
  void whatWasLongAgoSaysNothing() {
    fill(3, 100 * MIB);
    nowNanos += TimeUnit.MINUTES.toNanos(5);
    trend.looked(bytes, nowNanos);
    assertThat(soonFull()).isFalse();
  }
}
