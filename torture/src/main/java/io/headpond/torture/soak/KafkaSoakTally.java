// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.kafka.VerificationReport;

/** The deeds and findings of Kafka's soak so far. One thread. */
final class KafkaSoakTally extends SoakTally<KafkaSoakEvent, VerificationReport> {
  /** The memory is for heap, code and buffers. */
  private static final Footprint LIMIT = new Footprint(1L << 30, 600, 1500);

  /** A segment is open, and so may its indexes be; these are mapped too. */
  private static final int PER_SEGMENT = 4;

  KafkaSoakTally() {
    super(KafkaSoakEvent.class, VerificationReport.EMPTY);
  }

  /**
   * Takes the broker's present footprint.
   *
   * @param segments of its log directory
   */
  void holds(Footprint now, long segments) {
    String holder = "with " + segments + " segments the broker";
    holds(now, LIMIT.plusFiles(PER_SEGMENT * segments), holder);
  }
}
