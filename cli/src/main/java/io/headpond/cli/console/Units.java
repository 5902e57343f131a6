// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.store.event.ByteSize;
import java.time.Duration;
import java.util.Locale;

/** Numbers as an operator reads them: short, and never without a unit. */
public final class Units {
  /** From here on a duration is shown in whole seconds; 59.95 s would be printed as 60.0 s. */
  private static final Duration WHOLE_SECONDS = Duration.ofMillis(59_950);

  private Units() {}

  /** A size: {@code 512 B}, {@code 64.0 MiB}, {@code 1.50 GiB}. */
  public static String bytes(long bytes) {
    return ByteSize.text(bytes);
  }

  /** A rate: {@code 312.4 MiB/s}; {@code -} if no time has passed. */
  public static String bytesPerSecond(long bytes, Duration time) {
    long nanos = time.toNanos();
    if (nanos <= 0) {
      return "-";
    }
    return rate(bytes * 1e9 / nanos);
  }

  /** A rate in bytes per second: {@code 312.4 MiB/s}; {@code -} if it isn't known (NaN). */
  public static String rate(double bytesPerSecond) {
    return Double.isNaN(bytesPerSecond) ? "-" : bytes((long) bytesPerSecond) + "/s";
  }

  /**
   * A duration: {@code 850 µs}, {@code 12.5 ms}, {@code 3.2 s}, {@code 2 m 05 s}, {@code 1 h 00 m}.
   */
  public static String duration(Duration duration) {
    if (duration.isNegative()) { // a clock was set back
      return "-" + duration(duration.negated());
    }
    if (duration.compareTo(WHOLE_SECONDS) < 0) {
      return ofNanos(duration.toNanos());
    }
    long seconds = duration.plusMillis(500).toSeconds(); // 292 years are too many nanoseconds
    if (seconds < 3_600) {
      return String.format(Locale.ROOT, "%d m %02d s", seconds / 60, seconds % 60);
    }
    return String.format(Locale.ROOT, "%d h %02d m", seconds / 3_600, seconds % 3_600 / 60);
  }

  /** A latency in milliseconds, as a {@link #duration}; {@code -} if there is none (NaN). */
  public static String milliseconds(double value) {
    return Double.isNaN(value) ? "-" : duration(Duration.ofNanos(Math.round(value * 1e6)));
  }

  private static String ofNanos(long nanos) {
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%d µs", nanos / 1_000);
    }
    return nanos < 999_950_000
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  /** A count with its noun: {@code 1 segment}, {@code 12,345 segments}. */
  public static String count(long count, String noun) {
    return count(count, noun, noun + "s");
  }

  /** A count with its noun, where the plural isn't made by an s: {@code 2 batches}. */
  public static String count(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }

  /** A measured value without its unit: at least three digits that mean something. */
  public static String number(double value) {
    double size = Math.abs(value);
    String format =
        size >= 1000
            ? "%,.0f"
            : size >= 100
                ? "%.0f"
                : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.2g";
    return String.format(Locale.ROOT, format, value);
  }

  /** A share of a whole: {@code 42 %}; {@code -} of nothing. */
  public static String share(long part, long whole) {
    return whole <= 0 ? "-" : String.format(Locale.ROOT, "%.0f %%", 100.0 * part / whole);
  }
}
