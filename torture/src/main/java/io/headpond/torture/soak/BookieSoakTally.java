// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.ContentReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The deeds and findings of a bookie's soak so far. One thread. */
final class BookieSoakTally {
  /** Heap, direct buffers, code, and what RocksDB and the journal's mappings take. */
  private static final long MEMORY_LIMIT = 3L << 29;

  private static final long DESCRIPTORS_LIMIT = 500;
  private static final long MAPPINGS_LIMIT = 1500;

  /** A log is open once for reading, and once while it is moved or scanned. */
  private static final int PER_LOG = 2;

  /** Of a process that isn't restarted: {@link Growth#bytes}. */
  private static final long GROWTH_LIMIT = 64L << 20;

  private static final ContentReport NOTHING = new ContentReport(0, 0, 0, 0, 0, List.of());

  private final Map<BookieSoakEvent, Integer> events = new EnumMap<>(BookieSoakEvent.class);
  private ContentReport closed = NOTHING;
  private ContentReport lap = NOTHING;
  private Footprint most = new Footprint(0, 0, 0);
  private Footprint brokerMost = new Footprint(0, 0, 0);
  private long growthMax = Long.MIN_VALUE;
  private String beyond = "";
  int laps;
  int calmLaps;
  int starts;
  int vanillaStarts;
  int drains;
  int drainsKilled;
  long acknowledged;
  long deleted;
  long compared;
  long logsAtHome;
  long logsOnFast;

  void happened(BookieSoakEvent event) {
    events.merge(event, 1, Integer::sum);
  }

  int count(BookieSoakEvent event) {
    return events.getOrDefault(event, 0);
  }

  /** Takes the comparison of all entries of this lap. */
  void found(ContentReport report) {
    lap = report;
    compared += report.verified();
  }

  /** The lap's ledgers will be gone. */
  void lapEnds() {
    closed = closed.plus(lap);
    lap = NOTHING;
  }

  /** Over all laps. */
  ContentReport all() {
    return closed.plus(lap);
  }

  /**
   * Takes the bookie's present footprint.
   *
   * @param logs of its ledger directory
   */
  void holds(Footprint now, long logs) {
    most = most.max(now);
    Footprint limit =
        new Footprint(
            MEMORY_LIMIT, DESCRIPTORS_LIMIT + PER_LOG * logs, MAPPINGS_LIMIT + PER_LOG * logs);
    if (!now.within(limit)) {
      beyond("with " + logs + " entry logs the bookie held " + now + ", the limit is " + limit);
    }
  }

  /** Takes the present footprint of the broker, which is unmodified: it has no limit. */
  void brokerHolds(Footprint now) {
    brokerMost = brokerMost.max(now);
  }

  /** Takes what the bookie's memory did in a lap that left it running. */
  void grew(Growth growth) {
    if (growth.known()) {
      growthMax = Math.max(growthMax, growth.bytes());
      if (growth.bytes() > GROWTH_LIMIT) {
        beyond("a bookie that ran on grew by " + growth.bytes() + " bytes");
      }
    }
  }

  private void beyond(String what) {
    if (beyond.isEmpty()) {
      beyond = what;
    }
  }

  Footprint most() {
    return most;
  }

  Footprint brokerMost() {
    return brokerMost;
  }

  /** The largest growth that was seen, which may be negative; null if none could be seen. */
  Long growthMax() {
    return growthMax == Long.MIN_VALUE ? null : growthMax;
  }

  /** The first time that the bookie held more than its limit, in words; empty if it never did. */
  String beyond() {
    return beyond;
  }

  /** Nothing is gained by going on: what lies there is evidence. */
  boolean bad() {
    return !all().clean();
  }
}
