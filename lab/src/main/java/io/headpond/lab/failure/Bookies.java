// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;

/**
 * Bookies, written to by BookKeeper's own client.
 *
 * @param quorum with which one of three may die: how many bookies have a message
 */
public record Bookies(LedgerQuorum quorum) implements FailureEngine {

  @Override
  public Engine engine() {
    return Engine.BOOKKEEPER;
  }

  @Override
  public String node() {
    return "bookie";
  }

  @Override
  public String acknowledged() {
    return "quorum " + quorum;
  }

  @Override
  public FailureClusters clusters(FailureSettings settings, EngineRelease release)
      throws IOException {
    return new BookieClusters(settings, quorum, release);
  }
}
