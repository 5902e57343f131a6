// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper;

import io.headpond.bench.load.HistogramText;
import java.util.Map;
import java.util.TreeMap;
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
    Map<String, String> values = new TreeMap<>();
    values.put("acknowledged", Long.toString(acknowledged));
    values.put("bytes", Long.toString(bytes));
    values.put("failures", Long.toString(failures));
    values.put("ledgers", Long.toString(ledgers));
    values.put("latency", HistogramText.encode(latency));
    values.put("last.error", error);
    return values;
  }

  static LedgerFigures decode(Map<String, String> values) {
    return new LedgerFigures(
        Long.parseLong(values.get("acknowledged")),
        Long.parseLong(values.get("bytes")),
        Long.parseLong(values.get("failures")),
        Long.parseLong(values.get("ledgers")),
        HistogramText.decode(values.get("latency")),
        values.get("last.error"));
  }
}
