// SPDX-License-Identifier: Apache-2.0
/**
 * Real Pulsar, loaded and verified: its servers as child processes ({@link
 * io.headpond.bench.pulsar.PulsarServer}, and {@link io.headpond.bench.pulsar.PulsarCluster} of
 * ZooKeeper, bookie and broker), and a load by Pulsar's own client, in a process of its own ({@link
 * io.headpond.bench.pulsar.PulsarLoad}).
 */
package io.headpond.bench.pulsar;
