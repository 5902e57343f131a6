// SPDX-License-Identifier: Apache-2.0
/**
 * Real Pulsar, loaded and verified: its servers as child processes ({@link
 * io.headpond.harness.pulsar.PulsarServer}, and {@link io.headpond.harness.pulsar.PulsarCluster} of
 * ZooKeeper, bookie and broker), and loads by Pulsar's own client, in processes of their own:
 * {@link io.headpond.harness.pulsar.PulsarLoad} verifies what it publishes, {@link
 * io.headpond.harness.pulsar.PulsarProducers} are measured.
 */
package io.headpond.harness.pulsar;
