// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The result of a BookKeeper demo: the document that {@code --json} writes, with its keys in snake
 * case. A key that Kafka's demo has too means the same, with entries for records; counts are those
 * of both sides together, figures of time those of the journal on the fast device unless they begin
 * with {@code disk}.
 *
 * @param engine {@code bookkeeper}
 * @param bookkeeperVersion of bookies and clients
 * @param javaVersion of all of them
 * @param headpond whether the second journal was Headpond's: always
 * @param recordsAcknowledged by the bookies
 * @param recordsVerified of these, read back with every byte as sent
 * @param recordsLost of these, not there
 * @param recordsCorrupt read with other content
 * @param restarts of the bookie with the fast journal, after SIGKILL
 * @param restartMs from the kill to the first acknowledgement after it
 * @param fastTierVolatile whether a power cut would have taken the journal
 * @param journalBytes size of the journal's files on the fast device at the end
 * @param figures times and rates, of both journals
 */
record BookKeeperResult(
    String engine,
    String bookkeeperVersion,
    int javaVersion,
    boolean headpond,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsLost,
    long recordsCorrupt,
    int restarts,
    long restartMs,
    boolean fastTierVolatile,
    long journalBytes,
    @JsonUnwrapped JournalFigures figures)
    implements JournalOutcome {}
