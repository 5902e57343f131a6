// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.load.HistogramText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

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

  /** As a line of a dialogue carries it. */
  public Map<String, String> encode() {
    Map<String, String> values = new TreeMap<>();
    values.put("publishing", Boolean.toString(publishing));
    values.put("acknowledged", Long.toString(acknowledged));
    values.put("acknowledged.bytes", Long.toString(acknowledgedBytes));
    values.put("failures", Long.toString(failures));
    values.put("stream.messages", Long.toString(streamMessages));
    values.put("queue.messages", Long.toString(queueMessages));
    values.put("stream.missing", Long.toString(streamMissing));
    values.put("queue.missing", Long.toString(queueMissing));
    values.put("read", Long.toString(read));
    values.put("reading.done", Boolean.toString(readingDone));
    values.put("errors", String.join("\n", errors));
    return values;
  }

  static PulsarFigures decode(Map<String, String> values) {
    return new PulsarFigures(
        Boolean.parseBoolean(values.get("publishing")),
        Long.parseLong(values.get("acknowledged")),
        Long.parseLong(values.get("acknowledged.bytes")),
        Long.parseLong(values.get("failures")),
        Long.parseLong(values.get("stream.messages")),
        Long.parseLong(values.get("queue.messages")),
        Long.parseLong(values.get("stream.missing")),
        Long.parseLong(values.get("queue.missing")),
        Long.parseLong(values.get("read")),
        Boolean.parseBoolean(values.get("reading.done")),
        values.get("errors").lines().toList());
  }

  /** A histogram as a line of a dialogue carries it. */
  public static Map<String, String> encode(Histogram latency) {
    return Map.of("latency", HistogramText.encode(latency));
  }

  static Histogram decodeHistogram(Map<String, String> values) {
    return HistogramText.decode(values.get("latency"));
  }
}
