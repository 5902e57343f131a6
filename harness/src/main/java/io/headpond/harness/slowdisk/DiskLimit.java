// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A speed that a disk is limited to, of reads and of writes each.
 *
 * @param bytesPerSecond 0: any number
 * @param operationsPerSecond 0: any number
 */
public record DiskLimit(long bytesPerSecond, long operationsPerSecond) {

  private static final long BYTES_MIN = 1_000_000;
  private static final long BYTES_MAX = 10_000_000_000L;
  private static final long OPERATIONS_MIN = 20;
  private static final long OPERATIONS_MAX = 1_000_000;
  private static final double LARGE_BYTES = 1 << 20;

  /** Limits with a name: the base of a cloud's general purpose volume, and a disk that turns. */
  private static final Map<String, DiskLimit> NAMED =
      Map.of(
          "gp3", new DiskLimit(125_000_000, 3_000),
          "hdd", new DiskLimit(150_000_000, 120));

  private static final Pattern BANDWIDTH =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(MB|MiB|GB|GiB)/s");

  private static final Pattern OPERATIONS = Pattern.compile("(\\d{1,9})iops");

  /**
   * Refuses what no disk has.
   *
   * @throws IllegalArgumentException if a number is out of its range, or both are 0
   */
  public DiskLimit {
    if (bytesPerSecond == 0 && operationsPerSecond == 0) {
      throw new IllegalArgumentException("a limit needs MB/s, iops or both, as in 50MB/s,3000iops");
    }
    if (bytesPerSecond != 0 && (bytesPerSecond < BYTES_MIN || bytesPerSecond > BYTES_MAX)) {
      throw new IllegalArgumentException("a disk's bandwidth goes from 1MB/s to 10GB/s");
    }
    if (operationsPerSecond != 0
        && (operationsPerSecond < OPERATIONS_MIN || operationsPerSecond > OPERATIONS_MAX)) {
      throw new IllegalArgumentException("a disk's operations go from 20iops to 1000000iops");
    }
  }

  /**
   * The limit of a name, {@code gp3} or {@code hdd}, or of numbers with units: {@code 50MB/s},
   * {@code 3000iops}, or both with a comma. MB are 10^6 bytes, MiB 2^20.
   *
   * @throws IllegalArgumentException if the text is neither, or a number is out of its range
   */
  public static DiskLimit parse(String text) {
    DiskLimit named = NAMED.get(text.strip());
    if (named != null) {
      return named;
    }
    long bytes = 0;
    long operations = 0;
    for (String part : text.split(",", -1)) {
      Matcher bandwidth = BANDWIDTH.matcher(part.strip());
      Matcher rate = OPERATIONS.matcher(part.strip());
      if (bandwidth.matches() && bytes == 0) {
        bytes = bytes(bandwidth);
      } else if (rate.matches() && operations == 0) {
        operations = Long.parseLong(rate.group(1));
      } else {
        throw new IllegalArgumentException(
            "'" + text + "' is no limit of a disk: write gp3, hdd, or as in 50MB/s,3000iops");
      }
    }
    return new DiskLimit(bytes, operations);
  }

  private static long bytes(Matcher bandwidth) {
    long unit =
        switch (bandwidth.group(2)) {
          case "MB" -> 1_000_000;
          case "MiB" -> 1 << 20;
          case "GB" -> 1_000_000_000;
          default -> 1 << 30;
        };
    return new BigDecimal(bandwidth.group(1)).multiply(BigDecimal.valueOf(unit)).longValue();
  }

  /** The bandwidth of operations as large as the kernel makes them, at most, bytes per second. */
  public long largeBytesPerSecond() {
    return (long) bytesPerSecond(LARGE_BYTES);
  }

  /** The bandwidth of operations of this size, bytes per second; infinite if nothing limits it. */
  double bytesPerSecond(double operationBytes) {
    return Math.min(
        bytesPerSecond == 0 ? Double.POSITIVE_INFINITY : bytesPerSecond,
        operationsPerSecond == 0 ? Double.POSITIVE_INFINITY : operationsPerSecond * operationBytes);
  }

  /** The limit in words, as {@code 50 MB/s, 3,000 IOPS}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (bytesPerSecond != 0) {
      parts.add(megabytes(bytesPerSecond));
    }
    if (operationsPerSecond != 0) {
      parts.add(String.format(Locale.ROOT, "%,d IOPS", operationsPerSecond));
    }
    return String.join(", ", parts);
  }

  /** A bandwidth with its unit. */
  static String megabytes(double bytesPerSecond) {
    double megabytes = bytesPerSecond / 1e6;
    String format = Math.abs(megabytes - Math.rint(megabytes)) < 0.05 ? "%,.0f MB/s" : "%,.1f MB/s";
    return String.format(Locale.ROOT, format, megabytes);
  }
}
