// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.lab.comparison.CpuTime;
import org.HdrHistogram.Histogram;

/**
 * A phase at a fixed rate. Latencies go from the moment a record was due to its acknowledgement, in
 * microseconds, so a record that had to wait behind a slow one counts with its wait.
 *
 * @param ratePerSecond records due per second
 * @param records measured
 * @param sendLagP99Us how late the load generator itself was, which is part of the latencies
 * @param segments rolled during the whole phase; 0 where they are large
 * @param histogram of the latencies in nanoseconds, with the times of its beginning and end; too
 *     long for the JSON, see {@link HdrLogs}
 */
public record LatencyFigures(
    double ratePerSecond,
    long records,
    double p50Us,
    double p99Us,
    double p999Us,
    double maxUs,
    double sendLagP99Us,
    double brokerCpuUsPerRecord,
    double loadGeneratorCpuUsPerRecord,
    int segments,
    @JsonIgnore Histogram histogram) {

  static LatencyFigures of(
      double ratePerSecond, Histogram latency, Histogram sendLag, CpuTime cpu) {
    long records = latency.getTotalCount();
    return new LatencyFigures(
        ratePerSecond,
        records,
        latency.getValueAtPercentile(50) / 1e3,
        latency.getValueAtPercentile(99) / 1e3,
        latency.getValueAtPercentile(99.9) / 1e3,
        latency.getMaxValue() / 1e3,
        sendLag.getValueAtPercentile(99) / 1e3,
        cpu.engineMicrosPer(records),
        cpu.loadGeneratorMicrosPer(records),
        0,
        latency);
  }

  LatencyFigures withSegments(int rolled) {
    return new LatencyFigures(
        ratePerSecond,
        records,
        p50Us,
        p99Us,
        p999Us,
        maxUs,
        sendLagP99Us,
        brokerCpuUsPerRecord,
        loadGeneratorCpuUsPerRecord,
        rolled,
        histogram);
  }
}
