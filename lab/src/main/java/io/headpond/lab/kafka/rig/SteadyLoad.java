// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.Pace;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A load that goes on for long enough that logs of limited length begin anew some times: what they
 * keep is a multiple of what the fast tier takes.
 *
 * @param tierBytes capacity of the tier
 * @param bytesPerSecond sent all the time
 * @param messageBytes size of each message
 * @param retentions multiples of the tier that the log keeps
 * @param wraps how often the whole log is written anew while it is measured, after it was filled
 * @param rounds turns of each variant with each retention
 * @param partitions of the topic that it is sent to
 * @param segments that a full tier holds, of 1 to 64 MiB
 */
public record SteadyLoad(
    long tierBytes,
    long bytesPerSecond,
    int messageBytes,
    List<Double> retentions,
    double wraps,
    int rounds,
    int partitions,
    int segments) {

  /** Of the tier: many small ones would make its logs roll far more often than real ones. */
  public static final int SEGMENTS = 16;

  /** Kafka looks for what is to be deleted so often, milliseconds. */
  static final String RETENTION_CHECK_MS = "250";

  private static final double RETENTION_MIN = 0.1;
  private static final double RETENTION_MAX = 100;

  /** Refuses what would show nothing. */
  public SteadyLoad {
    retentions = List.copyOf(retentions);
    check(
        !retentions.isEmpty()
            && retentions.stream().allMatch(r -> r >= RETENTION_MIN && r <= RETENTION_MAX),
        "a log keeps 0.1 to 100 times the tier, not " + retentions);
    check(wraps >= 0.5 && wraps <= 100, "a log is written anew 0.5 to 100 times, not " + wraps);
    check(rounds >= 1 && rounds <= 100, "rounds go from 1 to 100, not " + rounds);
    check(bytesPerSecond >= 1 << 20, "a steady load has 1 MiB/s at least");
    check(
        partitions >= 1 && partitions <= Math.max(1, segments / 2),
        "the last segments of "
            + partitions
            + " partitions must take half of the tier at most, which holds "
            + segments
            + " of that size");
    retentions.forEach(
        retention -> point(tierBytes, bytesPerSecond, messageBytes, retention, wraps, partitions));
  }

  /** The same in one partition, with a sixteenth of the tier in each segment. */
  public SteadyLoad(
      long tierBytes,
      long bytesPerSecond,
      int messageBytes,
      List<Double> retentions,
      double wraps,
      int rounds) {
    this(tierBytes, bytesPerSecond, messageBytes, retentions, wraps, rounds, 1, SEGMENTS);
  }

  private static void check(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static Point point(
      long tierBytes,
      long bytesPerSecond,
      int messageBytes,
      double retention,
      double wraps,
      int partitions) {
    double fill = retention * tierBytes / bytesPerSecond;
    return Point.of(messageBytes, fill * wraps)
        .at(Pace.constant((double) bytesPerSecond / messageBytes))
        .on(1, partitions)
        .clients(1, 1)
        .lasting(fill, fill * wraps);
  }

  /**
   * The tier that it is for.
   *
   * @param threshold share of it that migration steers to
   * @param home the rate at which it takes what migrates
   */
  public KafkaTier tier(double threshold, HomeRate home) {
    return KafkaTier.tight(tierBytes, threshold, home, segments);
  }

  /** The load of a log with a retention, after as long a time as it takes to fill it. */
  public Point point(double retention) {
    return point(tierBytes, bytesPerSecond, messageBytes, retention, wraps, partitions);
  }

  /** The bytes of the longest log with what waits to be deleted. */
  public long logBytesMax() {
    double longest = retentions.stream().mapToDouble(r -> r).max().orElseThrow();
    return (long) (longest * tierBytes) + 2 * bytesPerSecond;
  }

  /** A retention's name in the names of loads. */
  public static String kind(double retention) {
    return ", the log keeps " + times(retention) + " of the tier";
  }

  /** A retention as it is typed, with an x. */
  public static String times(double retention) {
    return String.valueOf(retention).replaceAll("\\.0$", "") + "x";
  }

  /** Warms the rigs up, and measures it on them. */
  public void run(Turns turns, double warmUpSeconds) throws IOException, InterruptedException {
    for (double retention : retentions) {
      String perPartition = Long.toString((long) (retention * tierBytes / partitions));
      for (Rig rig : turns.rigs()) {
        ((KafkaRig) rig).topicSettings(Map.of("retention.bytes", perPartition));
      }
      Point point = point(retention);
      if (retention == retentions.get(0)) {
        turns.warmUp(point, warmUpSeconds, point.pace().meanPerSecond());
      }
      new Turns(turns.rigs(), kind(retention) + turns.kind(), turns.listener())
          .measure(point, rounds);
    }
  }
}
