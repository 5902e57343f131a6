// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.comparison.MachineLoad;
import io.headpond.bench.kafka.KafkaNode;
import java.io.IOException;

/** What of the machine's processors others use while one broker is measured. */
final class OthersShare {

  private final KafkaNode node;
  private MachineLoad machine;
  private CpuTime cpu;
  private long start;
  private double max;

  OthersShare(KafkaNode node) {
    this.node = node;
  }

  void begin() throws IOException {
    machine = MachineLoad.soFar();
    cpu = CpuTime.soFar(node);
    start = System.nanoTime();
  }

  void end() throws IOException {
    double share =
        MachineLoad.soFar()
            .othersShare(
                machine,
                CpuTime.soFar(node).since(cpu).sum(),
                System.nanoTime() - start,
                Runtime.getRuntime().availableProcessors());
    max = Math.max(max, share);
  }

  /** The largest share so far, 0 to 1. */
  double max() {
    return max;
  }
}
