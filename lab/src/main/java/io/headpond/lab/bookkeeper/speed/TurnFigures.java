// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.speed;

import io.headpond.harness.load.SentFigures;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.RoundFigures;
import org.HdrHistogram.Histogram;

/**
 * What one variant did in one turn.
 *
 * @param seconds measured, without the ramp before
 * @param adds acknowledged in them
 * @param p50Us from sending to acknowledgement, microseconds
 * @param bookieCpuUsPerAdd processor time of the bookie, user and system
 * @param clientCpuUsPerAdd of the client, which shares the processors
 * @param failures adds that failed: such a turn means nothing
 * @param otherCpuShare share of all processors, 0 to 1, that neither bookie nor client used
 */
public record TurnFigures(
    LoadPoint point,
    int round,
    JournalVariant variant,
    double seconds,
    long adds,
    double addsPerSecond,
    double mbPerSecond,
    double p50Us,
    double p99Us,
    double p999Us,
    double maxUs,
    double bookieCpuUsPerAdd,
    double clientCpuUsPerAdd,
    long failures,
    double otherCpuShare)
    implements RoundFigures<LoadPoint, JournalVariant> {

  @Override
  public LoadPoint load() {
    return point;
  }

  static TurnFigures of(
      LoadPoint point,
      int round,
      JournalVariant variant,
      long nanos,
      SentFigures before,
      SentFigures after,
      CpuTime cpu,
      double otherCpuShare) {
    long adds = after.acknowledged() - before.acknowledged();
    double seconds = nanos / 1e9;
    Histogram latency = after.latency();
    return new TurnFigures(
        point,
        round,
        variant,
        seconds,
        adds,
        adds / seconds,
        (after.bytes() - before.bytes()) / seconds / 1e6,
        latency.getValueAtPercentile(50) / 1e3,
        latency.getValueAtPercentile(99) / 1e3,
        latency.getValueAtPercentile(99.9) / 1e3,
        latency.getMaxValue() / 1e3,
        cpu.engineMicrosPer(Math.max(1, adds)),
        cpu.loadGeneratorMicrosPer(Math.max(1, adds)),
        after.failures() - before.failures(),
        otherCpuShare);
  }
}
