// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.kafka.VerificationReport;
import java.util.Set;

/**
 * The result of a soak; the document that {@code --json} writes, with its keys in snake case.
 *
 * @param seed events, settings and records follow from it; the machine's own timing doesn't
 * @param seconds that it took
 * @param laps each begins with new topics and ends with vanilla Kafka and a drain
 * @param calmLaps of these, those that left the broker running
 * @param kills SIGKILL while records were written
 * @param killsInMoves of these, those that left the unfinished copy of a segment
 * @param restarts SIGTERM while records were written
 * @param brokerStarts with Headpond
 * @param vanillaStarts of Kafka without it, on the same files
 * @param drains to the end
 * @param drainsKilled in their middle
 * @param fullDevices bursts onto a fast device without a free byte; null if none can be made here
 * @param fullHomes times that home was full but for some bytes and the ballast; null likewise
 * @param bursts without anything else
 * @param readAgain times that everything was read from the beginning beside the producers
 * @param topicsDeleted after they were written and compared
 * @param migratedDownSegments moved down, as far as the counters were seen before a kill
 * @param migratedUpSegments moved up
 * @param overflowSegments begun or continued further down for want of room
 * @param recordsAcknowledged over all laps
 * @param recordsVerified of these, found at their offset with every byte
 * @param recordsSuperseded of these, replaced by a later one of their key, by compaction
 * @param recordsCompared with every byte, over all readings
 * @param recordsLost acknowledged, and not there
 * @param recordsCorrupt with other bytes
 * @param recordsDuplicated at a second offset
 * @param recordsAbortedSeen of aborted transactions, seen by a reader of committed ones
 * @param memoryBytesMax own memory of the broker, the most that was seen
 * @param memoryGrowthBytesMax the largest growth in a lap that left it running: the median of the
 *     last third less that of the middle one; null if none was long enough
 * @param descriptorsMax its open files and sockets
 * @param mappingsMax its mappings
 * @param beyondLimit when it first held more than is allowed, in words; empty: never
 * @param ok the verdict
 */
record KafkaSoakResult(
    long seed,
    long seconds,
    int laps,
    int calmLaps,
    int kills,
    int killsInMoves,
    int restarts,
    int brokerStarts,
    int vanillaStarts,
    int drains,
    int drainsKilled,
    Integer fullDevices,
    Integer fullHomes,
    int bursts,
    int readAgain,
    int topicsDeleted,
    long migratedDownSegments,
    long migratedUpSegments,
    long overflowSegments,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsSuperseded,
    long recordsCompared,
    long recordsLost,
    long recordsCorrupt,
    long recordsDuplicated,
    long recordsAbortedSeen,
    long memoryBytesMax,
    Long memoryGrowthBytesMax,
    long descriptorsMax,
    long mappingsMax,
    String beyondLimit,
    boolean ok) {

  /**
   * @param moves segments moved down, moved up, overflowed
   * @param devices those that can be filled here
   */
  static KafkaSoakResult of(
      long seed, long seconds, KafkaSoakTally tally, long[] moves, Set<KafkaSoakEvent> devices) {
    VerificationReport all = tally.all();
    boolean complete =
        all.verified() + all.superseded() == all.acknowledged() && all.verified() > 0;
    return new KafkaSoakResult(
        seed,
        seconds,
        tally.laps,
        tally.calmLaps,
        tally.count(KafkaSoakEvent.KILL) + tally.count(KafkaSoakEvent.KILL_IN_A_MOVE),
        tally.killsInMoves,
        tally.count(KafkaSoakEvent.RESTART),
        tally.starts,
        tally.vanillaStarts,
        tally.drains,
        tally.drainsKilled,
        countOf(KafkaSoakEvent.FULL_DEVICE, tally, devices),
        countOf(KafkaSoakEvent.FULL_HOME, tally, devices),
        tally.count(KafkaSoakEvent.BURST),
        tally.count(KafkaSoakEvent.READ_ALL),
        tally.count(KafkaSoakEvent.DELETED_TOPIC),
        moves[0],
        moves[1],
        moves[2],
        all.acknowledged(),
        all.verified(),
        all.superseded(),
        tally.compared,
        all.lost(),
        all.corrupt(),
        all.duplicates(),
        all.abortedSeen(),
        tally.most().memoryBytes(),
        tally.growthMax(),
        tally.most().descriptors(),
        tally.most().mappings(),
        tally.beyond(),
        all.clean() && complete && tally.beyond().isEmpty());
  }

  private static Integer countOf(
      KafkaSoakEvent event, KafkaSoakTally tally, Set<KafkaSoakEvent> devices) {
    return devices.contains(event) ? tally.count(event) : null;
  }
}
