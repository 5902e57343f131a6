// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

/**
 * The figures of a journal in a slice of time.
 *
 * @param bytes of acknowledged entries
 * @param nanos how long it took, until the last acknowledgement
 * @param cpuNanos processor time of the process, less that of the thread that logged the entries
 * @param rolls new journal files since the first slice
 * @param reused of them, those that were an old file
 * @param medianNanos from logging an entry to its acknowledgement; 0: not measured
 * @param p99Nanos likewise
 */
public record JournalSlice(
    long bytes,
    long nanos,
    long cpuNanos,
    long rolls,
    long reused,
    long medianNanos,
    long p99Nanos) {

  /** Acknowledged bytes per second. */
  public double bytesPerSecond() {
    return bytes * 1e9 / nanos;
  }

  /** Processor time per acknowledged byte. */
  public double cpuNanosPerByte() {
    return (double) cpuNanos / bytes;
  }
}
