// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.time.Duration;
import java.util.Locale;

/**
 * The end that a tier comes to if its segments go on growing or shrinking as they do now.
 *
 * @param kind what it comes to
 * @param inMs when, milliseconds from now; null if it stays as it is
 */
record Forecast(Kind kind, Long inMs) {
  /** Slower than this share of the capacity in an hour is no trend. */
  private static final double STEADY_SHARE_PER_HOUR = 0.01;

  /**
   * Of the capacity. Around its threshold a tier that is held there goes up and down by what moves;
   * this is also the band below it in which migration rests.
   */
  private static final double BAND = 0.05;

  private static final long FAR_MS = Duration.ofDays(100).toMillis();

  /** The ends that a tier may come to. */
  enum Kind {
    /** Grows: new segments will go further down. */
    FULL,
    /** Shrinks, and migration has no more to do then. */
    BELOW_THRESHOLD,
    /** Grows, and migration begins then. */
    ABOVE_THRESHOLD,
    /** Neither. */
    STEADY;

    /** As scripts see it. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The forecast for one tier.
   *
   * @param segmentBytes what its segments take; the pool of files for reuse gives way
   * @param capacityBytes what they may take
   * @param thresholdBytes what migration steers to; negative: it leaves the tier alone
   * @param bytesPerSecond how {@code segmentBytes} grows
   * @param time what that was seen over
   */
  static Forecast of(
      final long segmentBytes,
      final long capacityBytes,
      final long thresholdBytes,
      final long bytesPerSecond,
      final Duration time) {
    final double grown = bytesPerSecond * (time.toMillis() / 1e3);
    final double band = BAND * capacityBytes;
    final boolean held =
        thresholdBytes >= 0
            && Math.abs(segmentBytes - thresholdBytes) <= band
            && Math.abs(grown) <= band;
    if (held) {
      return new Forecast(Kind.STEADY, null);
    }
    if (Math.abs(bytesPerSecond) * 3_600.0 < STEADY_SHARE_PER_HOUR * capacityBytes
        || bytesPerSecond == 0) {
      return new Forecast(Kind.STEADY, null);
    }
    if (bytesPerSecond < 0) {
      return segmentBytes > thresholdBytes && thresholdBytes >= 0
          ? at(Kind.BELOW_THRESHOLD, segmentBytes - thresholdBytes, -bytesPerSecond)
          : new Forecast(Kind.STEADY, null);
    }
    return segmentBytes < thresholdBytes
        ? at(Kind.ABOVE_THRESHOLD, thresholdBytes - segmentBytes, bytesPerSecond)
        : at(Kind.FULL, Math.max(0, capacityBytes - segmentBytes), bytesPerSecond);
  }

  private static Forecast at(final Kind kind, final long bytes, final long bytesPerSecond) {
    final double ms = bytes * 1e3 / bytesPerSecond;
    return ms > FAR_MS ? new Forecast(Kind.STEADY, null) : new Forecast(kind, Math.round(ms));
  }
}
