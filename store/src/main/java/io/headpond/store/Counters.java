// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Durability;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The counters of the owner process since its start. Any thread. */
final class Counters {
  final LongAdder appendedBytesDurable = new LongAdder();
  final LongAdder appendedBytesEmulated = new LongAdder();
  final LongAdder appendedBytesVolatile = new LongAdder();
  final LongAdder appendedBytesUnforced = new LongAdder();
  final LongAdder appends = new LongAdder();
  final LatencyHistogram appendNanos = new LatencyHistogram();
  final LongAdder homeAppendedBytes = new LongAdder();
  final LongAdder homeReadBytes = new LongAdder();
  final LongAdder overflowSegments = new LongAdder();
  final LongAdder evacuatedSegments = new LongAdder();
  final LongAdder evacuatedBytes = new LongAdder();
  final LongAccumulator evacuationStallMsMax = new LongAccumulator(Math::max, 0);
  final LongAdder reclaimedFiles = new LongAdder();
  final LongAdder recycledFiles = new LongAdder();
  final LongAdder migratedDownSegments = new LongAdder();
  final LongAdder migratedDownBytes = new LongAdder();
  final LongAdder migratedUpSegments = new LongAdder();
  final LongAdder migratedUpBytes = new LongAdder();
  final LongAdder migrationFailures = new LongAdder();
  final AtomicLong quarantinedFiles = new AtomicLong();
  final Incidents incidents = new Incidents();

  /** Counts a segment that was moved to another tier. */
  void migrated(final boolean down, final long bytes) {
    (down ? migratedDownSegments : migratedUpSegments).increment();
    (down ? migratedDownBytes : migratedUpBytes).add(bytes);
  }

  /** Counts an append by what protected it when {@code write} returned. */
  void appended(final long bytes, final boolean persisted, final Durability device) {
    appends.increment();
    if (device == Durability.VOLATILE) {
      appendedBytesVolatile.add(bytes);
    } else if (!persisted) {
      appendedBytesUnforced.add(bytes);
    } else if (device == Durability.EMULATED) {
      appendedBytesEmulated.add(bytes);
    } else {
      appendedBytesDurable.add(bytes);
    }
  }
}
