// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class LiveRatesTest {
  private final LiveRates rates = new LiveRates();

  private static OwnerCounters counters(long pid, long updatedMs, long appended) {
    Properties properties = new Properties();
    properties.setProperty("pid", String.valueOf(pid));
    properties.setProperty("updated.ms", String.valueOf(updatedMs));
    properties.setProperty("appended.bytes.durable", String.valueOf(appended));
    return new OwnerCounters(properties);
  }

  private long appended() {
    return rates.perSecond(OwnerCounters::appendedBytes);
  }

  @Test
  void oneLookHasNoRate() {
    rates.add(10_000, counters(1, 9_500, 1_000_000));
    assertThat(rates.time()).isEqualTo(Duration.ZERO);
    assertThat(appended()).isZero();
  }

  @Test
  void aRateIsOverTheTimeBetweenTwoPublications() {
    rates.add(10_000, counters(1, 9_500, 0));
    rates.add(10_400, counters(1, 9_500, 0)); // the same publication
    rates.add(11_700, counters(1, 11_500, 4_000));
    assertThat(rates.time()).isEqualTo(Duration.ofSeconds(2));
    assertThat(appended()).isEqualTo(2_000);
  }

  @Test
  void whatHappensAfterARestIsNotSpreadOverTheRest() {
    rates.add(100_000, counters(1, 10_000, 0)); // nothing changed for 90 s
    rates.add(101_000, counters(1, 100_500, 2_000));
    assertThat(rates.time()).isEqualTo(Duration.ofSeconds(2));
    assertThat(appended()).isEqualTo(1_000);
  }

  @Test
  void aRateFallsToZeroWhenNothingIsPublishedAnyMore() {
    rates.add(10_000, counters(1, 10_000, 0));
    rates.add(11_000, counters(1, 11_000, 1_000));
    for (long now = 12_000; now <= 40_000; now += 1_000) {
      rates.add(now, counters(1, 11_000, 1_000));
    }
    assertThat(appended()).isZero();
  }

  @Test
  void onlyTheLastSecondsCount() {
    long appended = 0;
    for (long now = 0; now <= 60_000; now += 1_000) {
      appended += now > 40_000 ? 5_000 : 100;
      rates.add(now, counters(1, now, appended));
    }
    assertThat(rates.time()).isEqualTo(LiveRates.WINDOW);
    assertThat(appended()).isEqualTo(5_000);
  }

  @Test
  void ratesGoOnAfterTheClockWasSetBack() {
    rates.add(3_600_000, counters(1, 3_600_000, 0));
    rates.add(3_601_000, counters(1, 3_601_000, 9_000));
    rates.add(2_000, counters(1, 3_601_000, 9_000)); // the owner has published nothing since
    assertThat(appended()).isZero();
    rates.add(3_000, counters(1, 2_500, 10_000));
    rates.add(4_000, counters(1, 3_500, 12_000));
    assertThat(rates.time()).isEqualTo(Duration.ofSeconds(1));
    assertThat(appended()).isEqualTo(2_000);
  }

  @Test
  void anotherOwnerCountsFromZero() {
    rates.add(10_000, counters(1, 10_000, 1_000_000));
    rates.add(11_000, counters(2, 11_000, 0));
    assertThat(appended()).isZero();
    rates.add(12_000, counters(2, 12_000, 500));
    assertThat(appended()).isEqualTo(500);
  }
}
