// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.CpuTime;
import java.io.IOException;

/** Three nodes of one variant, all of them alive between the turns. For one thread. */
public interface FailureCluster {

  /** The variant that it is compared as. */
  ComparedVariant variant();

  /**
   * Begins to send, to what this turn is sent to alone, and chooses the node that will die.
   *
   * @param round from 1 on
   */
  NodeOutage begin(int round) throws IOException, InterruptedException;

  /** Processor time of the nodes' present lives, and of the load generator. */
  CpuTime cpu();
}
