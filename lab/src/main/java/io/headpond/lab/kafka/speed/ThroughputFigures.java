// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.lab.comparison.CpuTime;

/**
 * A phase at full speed, of producing or consuming.
 *
 * @param seconds measured, without the ramp before
 * @param bytesPerSecond of keys and values, uncompressed
 * @param brokerCpuUsPerRecord processor time of the broker, microseconds
 * @param loadGeneratorCpuUsPerRecord processor time of the client, which shares the processors
 * @param brokerCpuUsPerMib the broker's per MiB of keys and values
 */
public record ThroughputFigures(
    double seconds,
    long records,
    double recordsPerSecond,
    double bytesPerSecond,
    double brokerCpuUsPerRecord,
    double loadGeneratorCpuUsPerRecord,
    double brokerCpuUsPerMib) {

  static ThroughputFigures of(long nanos, long records, long bytes, CpuTime cpu) {
    double seconds = nanos / 1e9;
    return new ThroughputFigures(
        seconds,
        records,
        records / seconds,
        bytes / seconds,
        cpu.engineMicrosPer(records),
        cpu.loadGeneratorMicrosPer(records),
        cpu.engineMicrosPer(bytes / (double) (1 << 20)));
  }
}
