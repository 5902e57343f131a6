// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.facts.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one journal directory since the start. Counting allocates nothing. Any thread.
 */
final class JournalCounters {
  final LongAdder appends = new LongAdder();
  final LongAdder appendedBytes = new LongAdder();
  final LatencyHistogram appendNanos = new LatencyHistogram();
  final LatencyHistogram forceNanos = new LatencyHistogram();
  final LongAdder files = new LongAdder();
  final LongAdder reusedFiles = new LongAdder();
  final LongAdder failures = new LongAdder();

  /** Counts a write, and how long it took. */
  void appended(int bytes, long nanos) {
    appends.increment();
    appendedBytes.add(bytes);
    appendNanos.record(nanos);
  }
}
