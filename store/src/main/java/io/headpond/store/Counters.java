// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Durability;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The counters of the owner process since its start. Any thread. */
final class Counters {
  final LatencyHistogram appendNanos = new LatencyHistogram();
  final LongAdder homeAppendedBytes = new LongAdder();
  final LongAdder homeReadBytes = new LongAdder();
  final LongAccumulator evacuationStallMsMax = new LongAccumulator(Math::max, 0);
  final AtomicLong quarantinedFiles = new AtomicLong();
  final Incidents incidents;
  final Conditions conditions;

  /** Never changed after the construction. */
  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  Counters(final TimeSource time) {
    incidents = new Incidents(time);
    conditions = new Conditions(time);
    for (final Count each : Count.values()) {
      counts.put(each, new LongAdder());
    }
  }

  /** Adds to a count. */
  void add(final Count count, final long much) {
    counts.get(count).add(much);
  }

  /** Adds one to a count. */
  void increment(final Count count) {
    counts.get(count).increment();
  }

  /** A count's value. */
  long sum(final Count count) {
    return counts.get(count).sum();
  }

  /** All counts. */
  Map<Count, Long> counts() {
    final Map<Count, Long> all = new EnumMap<>(Count.class);
    for (final Count each : Count.values()) {
      all.put(each, sum(each));
    }
    return all;
  }

  /** Counts a segment that was moved to another tier. */
  void migrated(final boolean down, final long bytes) {
    increment(down ? Count.DOWN_SEGMENTS : Count.UP_SEGMENTS);
    add(down ? Count.DOWN_BYTES : Count.UP_BYTES, bytes);
  }

  /** Counts an append by what protected it when {@code write} returned. */
  void appended(final long bytes, final boolean persisted, final Durability device) {
    increment(Count.APPENDS);
    if (!persisted && device != Durability.VOLATILE) {
      add(Count.APPENDED_UNFORCED, bytes);
      return;
    }
    add(
        switch (device) {
          case DURABLE -> Count.APPENDED_DURABLE;
          case EPHEMERAL -> Count.APPENDED_EPHEMERAL;
          case UNKNOWN -> Count.APPENDED_UNKNOWN;
          case EMULATED -> Count.APPENDED_EMULATED;
          case VOLATILE -> Count.APPENDED_VOLATILE;
        },
        bytes);
  }
}
