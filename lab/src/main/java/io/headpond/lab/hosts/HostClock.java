// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;

/**
 * The lead of another host's clock over this one's, measured as NTP does (RFC 5905, section 8): the
 * host's answer is taken to have come in the middle of its round trip. It is wrong by half of the
 * round trip at most.
 *
 * @param aheadMicros microseconds; negative: it is behind
 * @param roundTripMicros of the exchange that it was measured by, microseconds
 */
public record HostClock(long aheadMicros, long roundTripMicros) {

  /**
   * A question and its answer, microseconds since 1970.
   *
   * @param sent by this machine's clock
   * @param there by the host's clock, between the other two
   * @param received by this machine's clock
   */
  public record Exchange(long sent, long there, long received) {

    private HostClock clock() {
      return new HostClock(there - (sent + (received - sent) / 2), received - sent);
    }
  }

  /** The clock by the exchange that took the least time. */
  public static HostClock of(List<Exchange> exchanges) {
    return exchanges.stream()
        .map(Exchange::clock)
        .min(Comparator.comparingLong(HostClock::roundTripMicros))
        .orElseThrow();
  }

  /** The host's time at a time of this machine's, both microseconds since 1970. */
  public long there(long micros) {
    return micros + aheadMicros;
  }

  /** This machine's time, microseconds since 1970. */
  public static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
