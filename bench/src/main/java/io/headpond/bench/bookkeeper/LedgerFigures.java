// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * How far a {@link LedgerLoad} is.
 *
 * @param acknowledged entries acknowledged since its start
 * @param bytes of these entries
 * @param failures adds that were refused or not answered, and ledgers that couldn't be made; what
 *     failed is sent again
 * @param ledgers ledgers begun
 * @param latency time from the first sending of an entry to its acknowledgement, since the last
 *     figures, nanoseconds
 * @param error the latest error's text; empty if there was none
 */
public record LedgerFigures(
    long acknowledged, long bytes, long failures, long ledgers, Histogram latency, String error) {

  /** As a line of a dialogue carries it. */
  public Map<String, String> encode() {
    ByteBuffer buffer = ByteBuffer.allocate(latency.getNeededByteBufferCapacity());
    byte[] histogram = new byte[latency.encodeIntoCompressedByteBuffer(buffer)];
    buffer.flip().get(histogram);
    Map<String, String> values = new TreeMap<>();
    values.put("acknowledged", Long.toString(acknowledged));
    values.put("bytes", Long.toString(bytes));
    values.put("failures", Long.toString(failures));
    values.put("ledgers", Long.toString(ledgers));
    values.put("latency", Base64.getEncoder().encodeToString(histogram));
    values.put("last.error", error);
    return values;
  }

  static LedgerFigures decode(Map<String, String> values) {
    try {
      byte[] histogram = Base64.getDecoder().decode(values.get("latency"));
      return new LedgerFigures(
          Long.parseLong(values.get("acknowledged")),
          Long.parseLong(values.get("bytes")),
          Long.parseLong(values.get("failures")),
          Long.parseLong(values.get("ledgers")),
          Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(histogram), 0),
          values.get("last.error"));
    } catch (DataFormatException e) {
      throw new IllegalStateException("the client's histogram can't be read", e);
    }
  }
}
