// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.io.IOException;
import java.util.function.Supplier;

/**
 * The share of the machine's processors that others use while one engine is measured. One thread.
 */
public final class OthersShare {

  private final Supplier<CpuTime> cpuSoFar;
  private MachineLoad machine;
  private CpuTime cpu;
  private long start;

  /**
   * @param cpuSoFar processor time of engine and load generator
   */
  public OthersShare(Supplier<CpuTime> cpuSoFar) {
    this.cpuSoFar = cpuSoFar;
  }

  /** A turn begins. */
  public void begin() throws IOException {
    machine = MachineLoad.soFar();
    cpu = cpuSoFar.get();
    start = System.nanoTime();
  }

  /** Ends the interval, and answers the others' share in it, 0 to 1. */
  public double end() throws IOException {
    return MachineLoad.soFar()
        .othersShare(
            machine,
            cpuSoFar.get().since(cpu).sum(),
            System.nanoTime() - start,
            Runtime.getRuntime().availableProcessors());
  }
}
