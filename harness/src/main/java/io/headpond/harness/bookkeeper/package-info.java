// SPDX-License-Identifier: Apache-2.0
/**
 * Drives real, unmodified bookies as child processes, loads them and verifies what they stored.
 *
 * <p>{@link io.headpond.harness.bookkeeper.ZooKeeperNode} and {@link
 * io.headpond.harness.bookkeeper.BookieNode} run a cluster, with or without the {@link
 * io.headpond.harness.bookkeeper.JournalPlugIn}; {@link io.headpond.harness.bookkeeper.LedgerLoad}
 * runs BookKeeper's client, which writes entries whose every byte follows from a seed, remembers
 * which were acknowledged, reads them back and compares each by content.
 */
package io.headpond.harness.bookkeeper;
