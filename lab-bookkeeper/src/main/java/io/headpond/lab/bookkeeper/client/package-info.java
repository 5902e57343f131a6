// SPDX-License-Identifier: Apache-2.0
/**
 * The process behind {@link io.headpond.harness.bookkeeper.LedgerLoad}: BookKeeper's real client
 * with the class path of its release, which would clash with the command's own. {@link
 * io.headpond.lab.bookkeeper.client.LoadMain} takes commands, {@link
 * io.headpond.lab.bookkeeper.client.LedgerWriter} writes, {@link
 * io.headpond.lab.bookkeeper.client.LedgerCheck} reads back.
 */
package io.headpond.lab.bookkeeper.client;
