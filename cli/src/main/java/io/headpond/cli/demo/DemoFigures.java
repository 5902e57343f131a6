// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import org.HdrHistogram.Histogram;

/**
 * The figures of one side, of the time between its warm-up and the kill.
 *
 * @param mbPerS acknowledged, 10^6 bytes per second
 * @param p50Ms median from sending to the acknowledgement
 * @param p99Ms its 99th percentile
 */
record DemoFigures(double mbPerS, double p50Ms, double p99Ms) {

  static DemoFigures of(long bytes, long nanos, Histogram latency) {
    return new DemoFigures(
        1e3 * bytes / nanos,
        latency.getValueAtPercentile(50) / 1e6,
        latency.getValueAtPercentile(99) / 1e6);
  }
}
