// SPDX-License-Identifier: Apache-2.0

/**
 * BookKeeper's plug for the journal: a {@code FileChannelProvider} that writes journals by mapped
 * stores into persistent memory, on a disk into zeros that were written ahead, or plainly. {@link
 * io.headpond.bookkeeper.PmemJournalChannelProvider} is what a bookie names. {@link
 * io.headpond.bookkeeper.BookieObservation} shows what journals and entry logs do.
 */
package io.headpond.bookkeeper;
