// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.kafka.VerificationReport;
import java.util.EnumMap;
import java.util.Map;

/** The deeds and findings of a soak so far. One thread. */
final class KafkaSoakTally {
  /** Heap, code, buffers, and the whole fast tier mapped. */
  private static final long MEMORY_LIMIT = 1L << 30;

  private static final long DESCRIPTORS_LIMIT = 600;
  private static final long MAPPINGS_LIMIT = 1500;

  /** A segment is open, and so may its indexes be; these are mapped too. */
  private static final int PER_SEGMENT = 4;

  private final Map<KafkaSoakEvent, Integer> events = new EnumMap<>(KafkaSoakEvent.class);
  private VerificationReport lap = VerificationReport.EMPTY;
  private VerificationReport closed = VerificationReport.EMPTY;
  private Footprint most = new Footprint(0, 0, 0);
  private String beyond = "";
  int laps;
  int starts;
  int vanillaStarts;
  int drains;
  int drainsKilled;
  long compared;

  void happened(KafkaSoakEvent event) {
    events.merge(event, 1, Integer::sum);
  }

  int count(KafkaSoakEvent event) {
    return events.getOrDefault(event, 0);
  }

  /** Takes the verification of all records of this lap. */
  void found(VerificationReport report) {
    lap = report;
    compared += report.verified();
  }

  /** Of a topic that is gone now, for good. */
  void foundForGood(VerificationReport report) {
    closed = closed.plus(report);
    compared += report.verified();
  }

  /** The lap's topics will be gone. */
  void lapEnds() {
    closed = closed.plus(lap);
    lap = VerificationReport.EMPTY;
  }

  /** Over all laps. */
  VerificationReport all() {
    return closed.plus(lap);
  }

  /**
   * Takes the broker's present footprint.
   *
   * @param segments of its log directory
   */
  void holds(Footprint now, long segments) {
    most = most.max(now);
    Footprint limit =
        new Footprint(
            MEMORY_LIMIT,
            DESCRIPTORS_LIMIT + PER_SEGMENT * segments,
            MAPPINGS_LIMIT + PER_SEGMENT * segments);
    if (!now.within(limit) && beyond.isEmpty()) {
      beyond = "with " + segments + " segments the broker held " + now + ", the limit is " + limit;
    }
  }

  Footprint most() {
    return most;
  }

  /** The first time that the broker held more than its limit, in words; empty if it never did. */
  String beyond() {
    return beyond;
  }

  /** Nothing is gained by going on: what lies there is evidence. */
  boolean bad() {
    return !all().clean();
  }
}
