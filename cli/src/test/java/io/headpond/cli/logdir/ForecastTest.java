// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.logdir.Forecast.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ForecastTest {
  private static final long MIB = 1 << 20;
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  @Test
  void aTierThatGrowsAboveItsThresholdWillBeFull() {
    // 1,000 MiB are left, at 5 MiB/s.
    Forecast forecast = Forecast.of(9_000 * MIB, 10_000 * MIB, 5_000 * MIB, 5 * MIB, TEN_SECONDS);
    assertThat(forecast).isEqualTo(new Forecast(Kind.FULL, 200_000L));
  }

  @Test
  void aTierThatGrowsBelowItsThresholdWillPassIt() {
    assertThat(Forecast.of(4_000 * MIB, 10_000 * MIB, 5_000 * MIB, 100 * MIB, TEN_SECONDS))
        .isEqualTo(new Forecast(Kind.ABOVE_THRESHOLD, 10_000L));
  }

  @Test
  void aTierThatShrinksFallsBelowItsThreshold() {
    assertThat(Forecast.of(6_000 * MIB, 10_000 * MIB, 5_000 * MIB, -100 * MIB, TEN_SECONDS))
        .isEqualTo(new Forecast(Kind.BELOW_THRESHOLD, 10_000L));
  }

  @Test
  void aTierThatHardlyChangesOrShrinksBelowItsThresholdIsSteady() {
    Forecast steady = new Forecast(Kind.STEADY, null);
    assertThat(Forecast.of(6_000 * MIB, 10_000 * MIB, 5_000 * MIB, 0, TEN_SECONDS))
        .isEqualTo(steady);
    assertThat(Forecast.of(6_000 * MIB, 10_000 * MIB, 5_000 * MIB, 20_000, TEN_SECONDS))
        .isEqualTo(steady);
    assertThat(Forecast.of(4_000 * MIB, 10_000 * MIB, 5_000 * MIB, -MIB, TEN_SECONDS))
        .isEqualTo(steady);
    assertThat(Forecast.of(0, 0, -1, 0, TEN_SECONDS)).isEqualTo(steady);
  }

  @Test
  void aTierThatIsHeldAtItsThresholdIsSteady() {
    // 10 s at 30 MiB/s are 300 MiB, less than 5 % of the capacity.
    Forecast steady = new Forecast(Kind.STEADY, null);
    for (long rate : new long[] {30 * MIB, -30 * MIB}) {
      assertThat(Forecast.of(5_300 * MIB, 10_000 * MIB, 5_000 * MIB, rate, TEN_SECONDS))
          .isEqualTo(steady);
      assertThat(Forecast.of(4_700 * MIB, 10_000 * MIB, 5_000 * MIB, rate, TEN_SECONDS))
          .isEqualTo(steady);
    }
    assertThat(Forecast.of(5_300 * MIB, 10_000 * MIB, 5_000 * MIB, 60 * MIB, TEN_SECONDS).kind())
        .isEqualTo(Kind.FULL);
    assertThat(Forecast.of(5_600 * MIB, 10_000 * MIB, 5_000 * MIB, 30 * MIB, TEN_SECONDS).kind())
        .isEqualTo(Kind.FULL);
  }

  @Test
  void aTierWithoutThresholdOnlyEverFills() {
    assertThat(Forecast.of(0, 1_000 * MIB, -1, 100 * MIB, TEN_SECONDS))
        .isEqualTo(new Forecast(Kind.FULL, 10_000L));
    assertThat(Forecast.of(500 * MIB, 1_000 * MIB, -1, -100 * MIB, TEN_SECONDS).kind())
        .isEqualTo(Kind.STEADY);
  }

  @Test
  void whatIsFullerThanItsCapacityIsFullNow() {
    assertThat(Forecast.of(1_100 * MIB, 1_000 * MIB, 500 * MIB, MIB, TEN_SECONDS))
        .isEqualTo(new Forecast(Kind.FULL, 0L));
  }
}
