// SPDX-License-Identifier: Apache-2.0
/**
 * The programs on Pulsar's own client, in processes with the class path of a release: of {@link
 * io.headpond.harness.pulsar.PulsarLoad} a publisher, a stream's and a queue's consumers, and the
 * reading that compares everything in the end; of {@link
 * io.headpond.harness.pulsar.PulsarProducers} producers at a pace or at full speed.
 */
package io.headpond.lab.pulsar.client;
