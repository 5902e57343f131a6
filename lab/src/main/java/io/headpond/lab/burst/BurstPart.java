// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.lab.comparison.Percentile;
import org.HdrHistogram.Histogram;

/**
 * What was acknowledged in one part of all bursts of a turn.
 *
 * @param publish latencies from when a message was due, nanoseconds, by when it was acknowledged
 * @param seconds of the part
 * @param bytesPerSecond acknowledged in it
 * @param engineCpu share of all processors that the broker used, 0 to 1
 * @param loadGeneratorCpu share of all processors that the load generator used, 0 to 1
 */
public record BurstPart(
    @JsonIgnore Histogram publish,
    double seconds,
    double bytesPerSecond,
    double engineCpu,
    double loadGeneratorCpu) {

  /** A percentile of its latencies, milliseconds; NaN if nothing was acknowledged. */
  double publishMillis(double percentile) {
    return Percentile.millis(publish, percentile);
  }
}
