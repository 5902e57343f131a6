// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of a journal in a slice of time.
 *
 * @param bytes of acknowledged entries
 * @param nanos how long it took, until the last acknowledgement
 * @param cpuNanos processor time of the process, less that of the thread that logged the entries
 * @param rolls new journal files since the first slice
 * @param reused of them, those that were an old file
 */
public record JournalSlice(long bytes, long nanos, long cpuNanos, long rolls, long reused) {

  /** As an answer's keys and values. */
  public Map<String, String> encode() {
    Map<String, String> values = new TreeMap<>();
    values.put("bytes", Long.toString(bytes));
    values.put("nanos", Long.toString(nanos));
    values.put("cpu", Long.toString(cpuNanos));
    values.put("rolls", Long.toString(rolls));
    values.put("reused", Long.toString(reused));
    return values;
  }

  /** The reverse of {@link #encode}. */
  public static JournalSlice decode(Map<String, String> values) {
    return new JournalSlice(
        Long.parseLong(values.get("bytes")),
        Long.parseLong(values.get("nanos")),
        Long.parseLong(values.get("cpu")),
        Long.parseLong(values.get("rolls")),
        Long.parseLong(values.get("reused")));
  }

  /** Acknowledged bytes per second. */
  public double bytesPerSecond() {
    return bytes * 1e9 / nanos;
  }

  /** Processor time per acknowledged byte. */
  public double cpuNanosPerByte() {
    return (double) cpuNanos / bytes;
  }
}
