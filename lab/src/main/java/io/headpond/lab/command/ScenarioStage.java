// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.List;

/**
 * A part of a scenario's run with engines of its own.
 *
 * @param release of the engine
 * @param variants Headpond's, then its baselines
 * @param journals directories of a bookie's journal; 1 for other engines
 * @param tier of Headpond's brokers; counts for Kafka
 * @param kind what the loads' names have beside the point; may be empty
 * @param hosts that make the load; null: this process does
 * @param work warms the engines up, which run, and measures
 */
record ScenarioStage(
    ScenarioEngine engine,
    EngineRelease release,
    List<ComparedVariant> variants,
    int journals,
    KafkaTier tier,
    String kind,
    LoadHosts hosts,
    Work work) {

  /** The work on engines that run. */
  interface Work {
    void run(Turns turns) throws IOException, InterruptedException;
  }
}
