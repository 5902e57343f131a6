// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The result of a Pulsar demo: the document that {@code --json} writes, with its keys in snake
 * case. A key that Kafka's demo has too means the same; counts are those of both sides together,
 * figures of time those of the fast device unless they begin with {@code disk}.
 *
 * @param engine {@code pulsar}
 * @param pulsarVersion of broker, bookie and client
 * @param javaVersion of all of them
 * @param headpond whether the second journal was Headpond's: always
 * @param recordsAcknowledged by the brokers
 * @param recordsVerified of these, read back from the bookies with every byte as sent
 * @param recordsLost of these, not there
 * @param recordsCorrupt read with other content, by any reader
 * @param recordsDuplicated there a second time, as the client's sending again makes it
 * @param recordsDisordered first stored behind a later one of their partition, by Pulsar's broker
 * @param streamRecordsMissing acknowledged, and the exclusive subscription never got them
 * @param streamRecordsDisordered got by it after one that lies behind them in their partition
 * @param queueRecordsMissing acknowledged, and the shared subscription never got them
 * @param recordsRedelivered got a second time by one of both subscriptions
 * @param restarts of a bookie after SIGKILL
 * @param restartMs from the kill to the first acknowledgement after it
 * @param fastTierVolatile whether a power cut would have taken the journal
 * @param journalBytes size of the journal's files on the fast device at the end
 * @param backlogRecords the queue's largest backlog, drained beside publishing
 * @param figures times and rates, of both journals
 */
record PulsarResult(
    String engine,
    String pulsarVersion,
    int javaVersion,
    boolean headpond,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsLost,
    long recordsCorrupt,
    long recordsDuplicated,
    long recordsDisordered,
    long streamRecordsMissing,
    long streamRecordsDisordered,
    long queueRecordsMissing,
    long recordsRedelivered,
    int restarts,
    long restartMs,
    boolean fastTierVolatile,
    long journalBytes,
    long backlogRecords,
    @JsonUnwrapped JournalFigures figures)
    implements JournalOutcome {

  @Override
  @JsonIgnore
  public boolean clean() {
    return JournalOutcome.super.clean()
        && streamRecordsMissing == 0
        && streamRecordsDisordered == 0
        && queueRecordsMissing == 0
        && backlogRecords > 0;
  }
}
