// SPDX-License-Identifier: Apache-2.0

/**
 * BookKeeper's plug for the journal: a {@code FileChannelProvider} whose journals are written by
 * mapped stores. {@link io.headpond.bookkeeper.PmemJournalChannelProvider} is what a bookie names.
 */
package io.headpond.bookkeeper;
