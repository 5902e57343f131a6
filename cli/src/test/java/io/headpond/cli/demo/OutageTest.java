// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OutageTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Outage outage = new Outage();

  private static Histogram latencies(long... millis) {
    Histogram latencies = new Histogram(3);
    for (long each : millis) {
      latencies.recordValue(Duration.ofMillis(each).toNanos());
    }
    return latencies;
  }

  @Test
  void itEndsWithTheFirstAcknowledgementAfterThoseOfBefore() {
    outage.begin();
    long killed = System.nanoTime();
    outage.look(11, killed + SECOND);
    assertThat(outage.length()).as("last answers on their way").isZero();
    outage.acknowledgedBefore(11);
    outage.look(11, killed + 2 * SECOND);
    assertThat(outage.length()).isZero();
    outage.look(12, killed + 3 * SECOND);
    outage.look(13, killed + 4 * SECOND);
    assertThat(outage.length()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
  }

  @Test
  void whatWaitedForTheRestartIsKeptApart() {
    assertThat(outage.split(latencies(5), 0).getTotalCount()).as("no kill yet").isOne();
    assertThat(outage.waitedMaxMs()).isNaN();
    outage.begin();
    long killed = System.nanoTime();
    outage.acknowledgedBefore(1);
    assertThat(outage.split(latencies(5), killed).getTotalCount()).as("dead").isZero();
    outage.look(2, killed + 3 * SECOND);
    assertThat(outage.split(latencies(5, 3_000), killed + 3 * SECOND + 1).getTotalCount())
        .as("just back")
        .isZero();
    Histogram others = outage.split(latencies(5, 6_000), killed + 8 * SECOND);
    assertThat(others.getTotalCount()).as("one was sent before the restart").isOne();
    assertThat(others.getMaxValue()).isLessThan(Duration.ofMillis(6).toNanos());
    assertThat(outage.waitedMaxMs()).isBetween(5_900.0, 6_100.0);
  }
}
