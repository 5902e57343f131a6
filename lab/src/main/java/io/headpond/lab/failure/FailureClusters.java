// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A cluster of three nodes of each variant, alive side by side, in folders of their own. {@link
 * #start} belongs to one thread; {@link #close} may be called by another to end everything: it
 * kills all nodes and removes the folders.
 */
public interface FailureClusters extends Closeable {

  /**
   * Starts them, in the order of the settings' variants; one that doesn't come up is an error.
   *
   * @param progress told what goes on
   */
  List<FailureCluster> start(Consumer<String> progress) throws IOException, InterruptedException;

  /** The place of each variant, and what its device keeps, in words. */
  Map<String, String> places() throws IOException;
}
