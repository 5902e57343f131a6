// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import com.fasterxml.jackson.annotation.JsonValue;
import io.headpond.cli.console.Units;
import java.time.Duration;
import java.util.Locale;

/**
 * What a tier comes to if its segments go on growing or shrinking as they do now.
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
    @JsonValue
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
      long segmentBytes,
      long capacityBytes,
      long thresholdBytes,
      long bytesPerSecond,
      Duration time) {
    double grown = bytesPerSecond * (time.toMillis() / 1e3);
    double band = BAND * capacityBytes;
    boolean held =
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

  private static Forecast at(Kind kind, long bytes, long bytesPerSecond) {
    double ms = bytes * 1e3 / bytesPerSecond;
    return ms > FAR_MS ? new Forecast(Kind.STEADY, null) : new Forecast(kind, Math.round(ms));
  }

  /** For people. */
  String words() {
    String time = inMs == null ? "" : Units.duration(Duration.ofMillis(inMs));
    return switch (kind) {
      case FULL -> "at this rate full in " + time;
      case BELOW_THRESHOLD -> "at this rate below its threshold in " + time;
      case ABOVE_THRESHOLD -> "at this rate above its threshold in " + time;
      case STEADY -> "steady";
    };
  }
}
