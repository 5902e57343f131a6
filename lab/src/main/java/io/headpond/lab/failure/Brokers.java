// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;

/** Kafka brokers, two of which must have a message. */
public record Brokers() implements FailureEngine {

  @Override
  public Engine engine() {
    return Engine.KAFKA;
  }

  @Override
  public String node() {
    return "broker";
  }

  @Override
  public String acknowledged() {
    return "acks=all";
  }

  @Override
  public FailureClusters clusters(FailureSettings settings, EngineRelease release)
      throws IOException {
    return new BrokerClusters(settings, release);
  }
}
