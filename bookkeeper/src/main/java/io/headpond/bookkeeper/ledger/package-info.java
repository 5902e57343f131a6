// SPDX-License-Identifier: Apache-2.0

/**
 * BookKeeper's plug for ledgers: a {@code LedgerStorage} whose new entry logs lie on a fast device
 * and whose sealed ones are migrated to the ledger directory. {@link
 * io.headpond.bookkeeper.ledger.TieredDbLedgerStorage} is what a bookie names.
 *
 * <p>The way of an entry log: {@link io.headpond.bookkeeper.ledger.EntryLogDirectories} says where
 * BookKeeper creates it, {@link io.headpond.bookkeeper.ledger.TieredEntryLogger} gives it its name
 * in the ledger directory before anything that lies in it is indexed, {@link
 * io.headpond.bookkeeper.ledger.EntryLogMigrator} moves it when it is sealed and the fast device is
 * above its threshold. {@link io.headpond.bookkeeper.ledger.EntryLogPlaces} knows the names and
 * files.
 */
package io.headpond.bookkeeper.ledger;
