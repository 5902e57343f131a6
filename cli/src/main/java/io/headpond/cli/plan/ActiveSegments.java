// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.plan;

import io.headpond.cli.console.Units;
import java.util.Optional;

/**
 * The active segments of partitions that are all written to. Each begins in the fast tier and stays
 * there until it is sealed, so many of them fill a tier that no burst would.
 *
 * @param partitions those that are written to
 * @param segmentBytes what a segment is sealed at
 */
record ActiveSegments(long partitions, long segmentBytes) {
  /** The least {@code segment.bytes} that Kafka 4 takes. */
  private static final long KAFKAS_LEAST = 1L << 20;

  /** The number of full segments that fit below the threshold. */
  long fitting(double capacityBytes, double threshold) {
    return (long) (capacityBytes * threshold / segmentBytes);
  }

  /**
   * What is wrong with a tier for them.
   *
   * @return empty if all of them fit below its threshold
   */
  Optional<String> problem(double capacityBytes, double threshold) {
    long fitting = fitting(capacityBytes, threshold);
    return capacityBytes <= 0 || partitions <= fitting
        ? Optional.empty()
        : Optional.of(
            Units.count(partitions, "partition")
                + " with segments of "
                + Units.bytes(segmentBytes)
                + " (segment.bytes) may take "
                + Units.bytes(Math.round((double) partitions * segmentBytes))
                + " while they are appended to, and below the threshold there is room for "
                + fitting
                + " of them: the others overflow, or are moved while they are appended to");
  }

  /** The remedy. */
  String remedy(double capacityBytes, double threshold) {
    long fitting = (long) (capacityBytes * threshold / Math.max(1, partitions));
    return (fitting < KAFKAS_LEAST
            ? ""
            : "set segment.bytes to at most " + Units.bytes(fitting) + ", ")
        + "keep topics out of the tier (headpond.home.only), or make it larger"
        + " (docs/sizing.md)";
  }
}
