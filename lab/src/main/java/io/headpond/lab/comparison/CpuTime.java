// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.time.Duration;

/**
 * Processor time, user and system, to the kernel's tick of about 10 ms.
 *
 * @param engine of the engine's process
 * @param loadGenerator of the clients, which share the processors with it
 */
public record CpuTime(Duration engine, Duration loadGenerator) {

  /** Processor time of an engine, whose clients are in this process. */
  public static CpuTime besideThisProcess(Duration engine) {
    return new CpuTime(
        engine, ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
  }

  /** The time used after {@code start}. */
  public CpuTime since(CpuTime start) {
    return new CpuTime(engine.minus(start.engine), loadGenerator.minus(start.loadGenerator));
  }

  /** Engine and load generator together. */
  public Duration sum() {
    return engine.plus(loadGenerator);
  }

  /** The engine's for one of {@code units}, microseconds. */
  public double engineMicrosPer(double units) {
    return engine.toNanos() / 1e3 / units;
  }

  /** The load generator's for one of {@code units}, microseconds. */
  public double loadGeneratorMicrosPer(double units) {
    return loadGenerator.toNanos() / 1e3 / units;
  }
}
