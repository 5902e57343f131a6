// SPDX-License-Identifier: Apache-2.0
/**
 * Pulsar as a {@link io.headpond.bench.scenario.Rig}: a {@link
 * io.headpond.bench.pulsar.rig.PulsarRig} is ZooKeeper, bookie and broker of one variant, and its
 * producers.
 */
package io.headpond.bench.pulsar.rig;
