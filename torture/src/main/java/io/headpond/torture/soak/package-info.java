// SPDX-License-Identifier: Apache-2.0
/**
 * {@code headpond-lab soak}: everything that may happen to an engine, for hours. {@link
 * io.headpond.torture.soak.Soak} is its course, from lap to lap, {@link
 * io.headpond.torture.soak.SoakedServer} what it happens to. {@link
 * io.headpond.torture.soak.KafkaSoak} writes a {@link io.headpond.torture.soak.SoakLoad} to a
 * {@link io.headpond.torture.soak.SoakedBroker}. {@link io.headpond.torture.soak.BookieSoak} does
 * it to a {@link io.headpond.torture.soak.SoakedBookie}, with {@link
 * io.headpond.torture.soak.BookieClients}: those of BookKeeper, or a Pulsar broker and its own.
 */
package io.headpond.torture.soak;
