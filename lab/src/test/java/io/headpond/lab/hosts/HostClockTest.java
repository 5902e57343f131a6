// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.hosts.HostClock.Exchange;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostClockTest {

  @Test
  void theAnswerIsTakenToHaveComeInTheMiddleOfTheRoundTrip() {
    HostClock clock = HostClock.of(List.of(new Exchange(1_000, 5_300, 1_600)));
    assertThat(clock).isEqualTo(new HostClock(4_000, 600));
    assertThat(clock.there(10_000)).isEqualTo(14_000);
  }

  @Test
  void aClockMayBeBehind() {
    assertThat(HostClock.of(List.of(new Exchange(5_000, 100, 5_200))).aheadMicros())
        .isEqualTo(-5_000);
  }

  @Test
  void theSmallestRoundTripCounts() {
    HostClock clock =
        HostClock.of(
            List.of(
                new Exchange(0, 9_000, 10_000),
                new Exchange(20_000, 20_150, 20_100),
                new Exchange(30_000, 30_000, 35_000)));
    assertThat(clock).isEqualTo(new HostClock(100, 100));
  }
}
