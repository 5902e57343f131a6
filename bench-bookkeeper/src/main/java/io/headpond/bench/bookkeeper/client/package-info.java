// SPDX-License-Identifier: Apache-2.0
/**
 * The process behind {@link io.headpond.bench.bookkeeper.LedgerLoad}: BookKeeper's real client with
 * the class path of its release, which would clash with the command's own. {@link
 * io.headpond.bench.bookkeeper.client.LoadMain} takes commands, {@link
 * io.headpond.bench.bookkeeper.client.LedgerWriter} writes, {@link
 * io.headpond.bench.bookkeeper.client.LedgerCheck} reads back.
 */
package io.headpond.bench.bookkeeper.client;
