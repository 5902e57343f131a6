// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import java.util.List;

/**
 * The measured figures of a directory's device, for people and JSON.
 *
 * @param path the directory
 * @param fileSystem its type
 * @param blockDevice the device's name; null: unknown
 * @param durability {@code durable}, {@code emulated} or {@code volatile}
 * @param writeBytesPerSecond sequential writes of 1 MiB, forced at the end; the median of the
 *     rounds
 * @param rounds the number of rounds, in each of which every way had its turn
 * @param appends one durable append after the other, by one writer
 */
public record DeviceFigures(
    String path,
    String fileSystem,
    String blockDevice,
    String durability,
    long writeBytesPerSecond,
    int rounds,
    List<Appends> appends) {

  /**
   * Appends of one size in one way. Times are medians of the rounds' percentiles.
   *
   * @param way the way, {@link AppendWay#key}
   * @param appendBytes the size of an append
   * @param number appends in all rounds
   * @param p50Micros P50 of an append, microseconds
   * @param p99Micros P99
   * @param deviceBytesPerByte what the device wrote for each byte; null: nobody counts it
   * @param p50OfGrowing P50 divided by that of a growing file in the same round, lowest, median and
   *     highest; null for the growing file itself
   * @param p99OfGrowing the same of P99
   */
  public record Appends(
      String way,
      int appendBytes,
      int number,
      double p50Micros,
      double p99Micros,
      Double deviceBytesPerByte,
      Ratio p50OfGrowing,
      Ratio p99OfGrowing) {}

  /** A ratio of the rounds: lowest, median, highest. */
  public record Ratio(double min, double median, double max) {}
}
