// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.PointRun;
import org.HdrHistogram.Histogram;

/** A {@link BurstPart} in the making, interval by interval. One thread. */
final class BurstPartSum {

  private final Histogram publish = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private double bytes;
  private double seconds;
  private double engineSeconds;
  private double loadGeneratorSeconds;

  /**
   * Adds an interval.
   *
   * @param length seconds of it
   * @param cpu used in it
   */
  void add(LoadInterval interval, double length, CpuTime cpu) {
    publish.add(interval.publish());
    bytes += interval.bytes();
    seconds += length;
    engineSeconds += cpu.engine().toNanos() / 1e9;
    loadGeneratorSeconds += cpu.loadGenerator().toNanos() / 1e9;
  }

  /** The sum; null if there was no interval. */
  BurstPart sum() {
    if (seconds == 0) {
      return null;
    }
    double available = seconds * Runtime.getRuntime().availableProcessors();
    return new BurstPart(
        publish,
        seconds,
        bytes / seconds,
        engineSeconds / available,
        loadGeneratorSeconds / available);
  }
}
