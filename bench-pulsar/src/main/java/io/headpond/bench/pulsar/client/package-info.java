// SPDX-License-Identifier: Apache-2.0
/**
 * What runs on Pulsar's own client, in a process that {@link io.headpond.bench.pulsar.PulsarLoad}
 * starts with the class path of a release: a publisher, a stream's and a queue's consumers, and the
 * reading that compares everything in the end.
 */
package io.headpond.bench.pulsar.client;
