// SPDX-License-Identifier: Apache-2.0
/**
 * Pulsar as a {@link io.headpond.lab.scenario.Rig}: a {@link io.headpond.lab.pulsar.rig.PulsarRig}
 * is ZooKeeper, bookie and broker of one variant, and its producers.
 */
package io.headpond.lab.pulsar.rig;
