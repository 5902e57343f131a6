// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.Percentile;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The figures of one engine under one {@link Point}.
 *
 * @param seconds measured; less than asked for if there was no more room
 * @param messages acknowledged in that time
 * @param failures messages that weren't taken in it, of a load that counts them
 * @param perSecond messages acknowledged a second
 * @param bytesPerSecond of them
 * @param publish latencies from when a message was due, nanoseconds, with those that were answered
 *     late; at full speed from when it was sent, of those answered in the measured time
 * @param sendLag part of these that the load generator itself was late, nanoseconds, where it is
 *     known
 * @param endToEnd the same to the arrival at a consumer; empty without consumers
 * @param replayedPerSecond bytes of the backlog read a second
 * @param cpu used meanwhile
 * @param otherCpuShare share of all processors, 0 to 1, that neither engine nor load generator used
 * @param overflowSegments that found no room in the fast tier meanwhile; -1 if there is none
 * @param tier what a tight tier did; null: there is none
 * @param series second by second
 */
public record PointFigures(
    double seconds,
    @JsonIgnore long messages,
    @JsonIgnore long failures,
    double perSecond,
    double bytesPerSecond,
    @JsonIgnore Histogram publish,
    @JsonIgnore Histogram sendLag,
    @JsonIgnore Histogram endToEnd,
    double replayedPerSecond,
    @JsonIgnore CpuTime cpu,
    double otherCpuShare,
    long overflowSegments,
    TierFigures tier,
    List<SecondFigures> series) {

  /** A sender that is a little late at the end didn't fall behind. */
  private static final double KEPT_UP = 0.95;

  public PointFigures {
    series = List.copyOf(series);
  }

  /** True if the engine took as much as was due. */
  public boolean achieved(Point point) {
    return point.pace().fullSpeed() || perSecond >= KEPT_UP * point.pace().meanPerSecond();
  }

  /** A percentile of the publish latencies, microseconds; NaN if there were none. */
  public double publishUs(double percentile) {
    return Percentile.micros(publish, percentile);
  }

  /** A percentile of the end-to-end latencies, microseconds; NaN if there were none. */
  public double endToEndUs(double percentile) {
    return Percentile.micros(endToEnd, percentile);
  }

  /** The load generator's share of the processor time that it and the engine used, 0 to 1. */
  public double loadGeneratorShare() {
    return cpu.loadGenerator().toNanos() / (double) Math.max(1, cpu.sum().toNanos());
  }
}
