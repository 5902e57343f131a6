// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import java.util.List;

/**
 * The figures of a {@link PulsarLoad}; all counts since its start.
 *
 * @param publishing whether something is to be sent, or was sent and isn't answered
 * @param acknowledged messages that the broker has acknowledged
 * @param acknowledgedBytes of their keys and values, uncompressed
 * @param failures messages that the client gave up; their fate is unknown
 * @param streamMessages messages that the stream's consumer got, each compared
 * @param queueMessages messages that the queue's consumers got, each compared
 * @param streamMissing acknowledged messages that the stream hasn't got yet
 * @param queueMissing acknowledged messages that the queue hasn't got yet: its backlog
 * @param read messages that the final reading has compared
 * @param readingDone whether the final reading has ended, well or not
 * @param errors the first errors of the clients, in words
 */
public record PulsarFigures(
    boolean publishing,
    long acknowledged,
    long acknowledgedBytes,
    long failures,
    long streamMessages,
    long queueMessages,
    long streamMissing,
    long queueMissing,
    long read,
    boolean readingDone,
    List<String> errors) {

  /** Before anything happened. */
  public static final PulsarFigures NONE =
      new PulsarFigures(false, 0, 0, 0, 0, 0, 0, 0, 0, false, List.of());

  public PulsarFigures {
    errors = List.copyOf(errors);
  }
}
