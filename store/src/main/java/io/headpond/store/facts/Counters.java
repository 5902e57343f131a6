// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.facts;

import io.headpond.pmem.Durability;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The counters of the owner process since its start. Any thread. */
public final class Counters {
  /** Times of appends, of one in {@link StoreFacts.Appends#SAMPLE} at least. */
  public final LatencyHistogram appendNanos = new LatencyHistogram();

  /** Bytes that were appended at home. */
  public final LongAdder homeAppendedBytes = new LongAdder();

  /** Bytes that the engine read at home. */
  public final LongAdder homeReadBytes = new LongAdder();

  /** The longest wait of an append for an evacuation, milliseconds. */
  public final LongAccumulator evacuationStallMsMax = new LongAccumulator(Math::max, 0);

  /** Orphans that the claim found. */
  public final AtomicLong quarantinedFiles = new AtomicLong();

  public final Incidents incidents;
  public final Conditions conditions;

  /** Never changed after the construction. */
  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  /** Nothing is counted yet. */
  public Counters(final TimeSource time) {
    incidents = new Incidents();
    conditions = new Conditions(time);
    for (final Count each : Count.values()) {
      counts.put(each, new LongAdder());
    }
  }

  /** Adds to a count. */
  public void add(final Count count, final long much) {
    counts.get(count).add(much);
  }

  /** Adds one to a count. */
  public void increment(final Count count) {
    counts.get(count).increment();
  }

  /** A count's value. */
  public long sum(final Count count) {
    return counts.get(count).sum();
  }

  /** All counts. */
  public Map<Count, Long> counts() {
    final Map<Count, Long> all = new EnumMap<>(Count.class);
    for (final Count each : Count.values()) {
      all.put(each, sum(each));
    }
    return all;
  }

  /** Counts a segment that was moved to another tier. */
  public void migrated(final boolean down, final long bytes) {
    increment(down ? Count.DOWN_SEGMENTS : Count.UP_SEGMENTS);
    add(down ? Count.DOWN_BYTES : Count.UP_BYTES, bytes);
  }

  /** Counts an append by what protected it when {@code write} returned. */
  public void appended(final long bytes, final boolean persisted, final Durability device) {
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
