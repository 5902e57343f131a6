// SPDX-License-Identifier: Apache-2.0

/**
 * BookKeeper's plug for the journal: a {@code FileChannelProvider} whose journals are written by
 * mapped stores. {@link io.headpond.bookkeeper.PmemJournalChannelProvider} is what a bookie names.
 * {@link io.headpond.bookkeeper.BookieObservation} shows what journals and entry logs do.
 */
package io.headpond.bookkeeper;
