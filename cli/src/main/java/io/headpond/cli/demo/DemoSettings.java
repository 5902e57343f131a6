// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.time.Duration;

/**
 * The settings of the demo of Kafka.
 *
 * @param duration least length of all bursts together
 * @param bursts how many
 * @param burstPause longest wait between two bursts for the fast tier to come down to its threshold
 * @param fastCapacity bytes of the fast tier
 * @param threshold share of it that migration steers to; -1: nothing is moved
 * @param policy as {@code headpond.migrate.policy}
 * @param keep whether all files stay at the end
 * @param comparison whether durable records are compared with unmodified Kafka's at the end
 * @param limitHome whether that is done on a slow disk, where this process can make one
 */
record DemoSettings(
    Duration duration,
    int bursts,
    Duration burstPause,
    long fastCapacity,
    double threshold,
    String policy,
    boolean keep,
    boolean comparison,
    boolean limitHome) {

  /** Least length of one burst. */
  Duration burstLength() {
    return duration.dividedBy(bursts);
  }

  /** True if segments are moved between the tiers. */
  boolean migrates() {
    return threshold >= 0;
  }

  /** Bytes of the fast tier that migration steers to. */
  long thresholdBytes() {
    return (long) (threshold * fastCapacity);
  }
}
