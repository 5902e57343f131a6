// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headpond.harness.load.Fields;
import java.util.Map;

/**
 * The result of a demo: the document that {@code --json} writes, with its keys in snake case.
 *
 * @param kafkaVersion of the broker
 * @param javaVersion of the broker
 * @param headpond whether the plug-in was on
 * @param recordsAcknowledged by the broker
 * @param recordsVerified of these, read back after the kill with every byte as sent
 * @param recordsLost of these, not there
 * @param recordsCorrupt read with other content
 * @param recordsDuplicated read twice
 * @param recordsAbortedSeen of aborted transactions, yet seen
 * @param restarts after SIGKILL
 * @param restartMs from the kill to the first acknowledgement after it
 * @param fastTierVolatile whether a power cut would have taken the fast tier
 * @param fastTierCapacityBytes its size
 * @param fastTierBytesWritten appended to segments in the fast tier, at least; see {@link
 *     io.headpond.cli.logdir.OwnerLives}
 * @param fastTierSegments segments in it at the end
 * @param fastTierUsedRatioEnd its used share at the end, of its capacity; null without the plug-in
 * @param fastTierThreshold the share that migration steers to; -1: nothing is moved; null without
 *     the plug-in
 * @param migratedDownBytes moved to home while the broker ran, at least
 * @param migratedDownSegments in so many segments
 * @param migratedUpBytes moved to the fast tier while the broker ran, at least
 * @param migratedUpSegments in so many segments
 * @param overflowSegments opened at home, or moved there in the middle, because the fast tier had
 *     no room, at least
 * @param homeSegments segments at home at the end
 * @param homeBytes their bytes
 * @param bursts how many there were
 * @param produceBytesPerBurst acknowledged bytes of keys and values, uncompressed, a burst
 * @param backlogRecords read from the beginning, and compared, beside the last burst; 0: there was
 *     only one burst
 * @param produceSeconds length of the bursts, the time without a broker left out
 * @param produceMbPerS acknowledged bytes of keys and values, uncompressed, in 10^6 bytes per
 *     second of this time
 * @param produceP50Ms median from send to acknowledgement, without the records that waited for the
 *     restart
 * @param produceP99Ms its 99th percentile
 * @param appendP99MsWhileMigrating the same of the records that were answered in a second in which
 *     segments moved; null if there was none
 * @param appendP99MsOtherwise the same of the others
 * @param produceMaxOverRestartMs longest wait of a record over the restart
 * @param headpondVerifyClean whether {@code headpond verify} found nothing
 * @param vanillaReadsSegments whether Kafka's own DumpLogSegments, without the plug-in, read a
 *     segment of each tier
 * @param durable the comparison at the end; null: there was none
 */
record DemoResult(
    String kafkaVersion,
    int javaVersion,
    boolean headpond,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsLost,
    long recordsCorrupt,
    long recordsDuplicated,
    long recordsAbortedSeen,
    int restarts,
    long restartMs,
    boolean fastTierVolatile,
    long fastTierCapacityBytes,
    long fastTierBytesWritten,
    long fastTierSegments,
    Double fastTierUsedRatioEnd,
    Double fastTierThreshold,
    long migratedDownBytes,
    long migratedDownSegments,
    long migratedUpBytes,
    long migratedUpSegments,
    long overflowSegments,
    long homeSegments,
    long homeBytes,
    int bursts,
    long produceBytesPerBurst,
    long backlogRecords,
    double produceSeconds,
    double produceMbPerS,
    double produceP50Ms,
    double produceP99Ms,
    Double appendP99MsWhileMigrating,
    Double appendP99MsOtherwise,
    double produceMaxOverRestartMs,
    boolean headpondVerifyClean,
    boolean vanillaReadsSegments,
    DurableResult durable)
    implements DemoOutcome {

  /** The same with that comparison. */
  DemoResult with(DurableResult comparison) {
    return Fields.with(this, Map.of("durable", comparison));
  }

  @Override
  @JsonIgnore
  public boolean clean() {
    return recordsAcknowledged > 0
        && recordsVerified == recordsAcknowledged
        && recordsLost == 0
        && recordsCorrupt == 0
        && recordsDuplicated == 0
        && recordsAbortedSeen == 0
        && (!headpond || fastTierBytesWritten > 0)
        && (!headpond || bursts == 1 || fastTierThreshold < 0 || migratedDownBytes > 0)
        && headpondVerifyClean
        && vanillaReadsSegments;
  }
}
