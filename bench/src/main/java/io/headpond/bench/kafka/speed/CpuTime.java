// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.kafka.KafkaNode;
import java.time.Duration;

/**
 * Processor time over an interval, user and system, to the kernel's tick of about 10 ms.
 *
 * @param broker of the broker's process
 * @param loadGenerator of this process, which shares the processors with it
 */
record CpuTime(Duration broker, Duration loadGenerator) {

  static CpuTime soFar(KafkaNode node) {
    return new CpuTime(
        node.cpuTime(), ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
  }

  CpuTime since(CpuTime start) {
    return new CpuTime(broker.minus(start.broker), loadGenerator.minus(start.loadGenerator));
  }

  Duration sum() {
    return broker.plus(loadGenerator);
  }

  double brokerMicrosPer(double units) {
    return broker.toNanos() / 1e3 / units;
  }

  double loadGeneratorMicrosPer(double units) {
    return loadGenerator.toNanos() / 1e3 / units;
  }
}
