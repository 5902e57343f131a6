// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

/**
 * The result of a {@link JournalDemo}, whatever the engine; figures of time are those of the
 * journal on the fast device unless they begin with {@code disk}.
 */
interface JournalOutcome extends DemoOutcome {

  /** True if a power cut would have taken the journal. */
  boolean fastTierVolatile();

  /** From the kill to the first acknowledgement after it. */
  long restartMs();

  /** Longest wait over the restart. */
  double produceMaxOverRestartMs();

  /** Acknowledged, 10^6 bytes per second. */
  double produceMbPerS();

  /** Median from send to acknowledgement. */
  double produceP50Ms();

  /** Its 99th percentile. */
  double produceP99Ms();

  /** As {@link #produceMbPerS}. */
  double diskProduceMbPerS();

  /** As {@link #produceP50Ms}. */
  double diskProduceP50Ms();

  /** As {@link #produceP99Ms}. */
  double diskProduceP99Ms();
}
