// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import java.util.List;

/**
 * The findings of a {@link PulsarLoad#verify verification}.
 *
 * @param acknowledged messages the broker has acknowledged
 * @param verified of these, read at the place it named with every byte as sent
 * @param lost of these, not there
 * @param corrupt messages read with other content than was sent, by any of the readers, or another
 *     message than was acknowledged there
 * @param copies whole messages at a place that wasn't acknowledged for them: sent again by the
 *     client after a failure whose outcome it couldn't know, which Pulsar doesn't rule out without
 *     its deduplication
 * @param unacknowledged whole messages that were never acknowledged: sent, but the answer was lost
 * @param disordered messages that a broker first stored behind a later one of their partition,
 *     which Pulsar doesn't rule out after a failed write: it is the broker that gives a message its
 *     place, and no bookie can change it
 * @param streamMissing acknowledged messages that the exclusive subscription never got
 * @param streamDisordered messages that it got, for the first time, after one that lies behind them
 * @param queueMissing acknowledged messages that the shared subscription never got
 * @param redelivered messages that one of both got a second time, as Pulsar may do after a failure
 * @param examples the first findings, in words
 */
public record PulsarReport(
    long acknowledged,
    long verified,
    long lost,
    long corrupt,
    long copies,
    long unacknowledged,
    long disordered,
    long streamMissing,
    long streamDisordered,
    long queueMissing,
    long redelivered,
    List<String> examples) {

  public PulsarReport {
    examples = List.copyOf(examples);
  }

  /** True if every acknowledged message is there, whole, and both subscriptions got it. */
  public boolean clean() {
    return acknowledged > 0
        && verified == acknowledged
        && lost == 0
        && corrupt == 0
        && streamMissing == 0
        && streamDisordered == 0
        && queueMissing == 0;
  }
}
