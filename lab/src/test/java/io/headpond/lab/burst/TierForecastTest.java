// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headpond.lab.burst.TierForecast.Step;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TierForecastTest {

  private static final double CAPACITY = 1000;

  private static TierForecast forecast(double home, Step... steps) {
    return TierForecast.of(CAPACITY, 0.5, home, List.of(steps));
  }

  @Test
  void aBurstIsAbsorbedForItsReserveDividedByWhatHomeDoesNotTake() {
    TierForecast forecast = forecast(20, new Step(20, 60), new Step(100, 0));

    assertThat(forecast.fullAt(0, 20)).isEqualTo(500.0 / (60 - 20));
    assertThat(forecast.settledAt(20, 120)).isEqualTo(20 + 500.0 / 20);
  }

  @Test
  void whatIsWrittenBetweenBurstsMakesThePauseLonger() {
    TierForecast forecast = forecast(20, new Step(10, 60), new Step(100, 12));

    assertThat(forecast.fullAt(0, 110)).isInfinite();
    assertThat(forecast.settledAt(10, 110)).isEqualTo(10 + 400.0 / (20 - 12));
  }

  @Test
  void aBurstThatComesTooSoonFindsLessRoom() {
    Step burst = new Step(10, 60);
    TierForecast forecast = forecast(20, burst, new Step(5, 0), burst, new Step(100, 0));

    assertThat(forecast.settledAt(10, 15)).isInfinite();
    assertThat(forecast.fullAt(15, 25)).isEqualTo(15 + (500.0 - 400 + 5 * 20) / 40);
  }

  @Test
  void whatHomeTakesNeverFillsTheTier() {
    TierForecast forecast = forecast(20, new Step(1000, 20), new Step(1000, 5));

    assertThat(forecast.fullAt(0, 2000)).isInfinite();
    assertThat(forecast.settledAt(0, 2000)).isZero();
  }

  @Test
  void theFillIsThatOfAWalkInSmallStepsWhateverTheRates() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    List<Step> steps =
        Stream.generate(() -> new Step(random.nextDouble(1, 30), random.nextDouble(0, 80)))
            .limit(50)
            .toList();
    double home = random.nextDouble(10, 50);
    TierForecast forecast = TierForecast.of(CAPACITY, 0.5, home, steps);

    double fill = 500;
    double step = 1e-3;
    double at = 0;
    for (Step next : steps) {
      for (double t = 0; t < next.seconds(); t += step) {
        fill = Math.min(CAPACITY, Math.max(500, fill + (next.bytesPerSecond() - home) * step));
      }
      at += next.seconds();
      double end = at;
      double predicted =
          forecast.points().stream()
              .filter(p -> Math.abs(p.at() - end) < 1e-6)
              .mapToDouble(TierForecast.Point::bytes)
              .findFirst()
              .orElseThrow();
      assertThat(predicted).as("seed %d, at %s s", seed, at).isCloseTo(fill, within(3.0));
    }
  }
}
