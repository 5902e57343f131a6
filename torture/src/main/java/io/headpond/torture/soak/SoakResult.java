// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a soak; the document that {@code --json} writes, with its keys in snake case. A
 * record is an entry of a bookie, or a message where Pulsar writes.
 *
 * @param engine that was asked for
 * @param seed events, settings and records follow from it; the machine's own timing doesn't
 * @param seconds that it took
 * @param laps each ends with the unmodified engine and a drain
 * @param calmLaps of these, those that left every process running
 * @param events that happened while records were written, and how often
 * @param killsInMoves SIGKILLs that left the unfinished copy of a file
 * @param starts with Headpond
 * @param vanillaStarts without it, on the same files
 * @param drains to the end
 * @param drainsKilled in their middle
 * @param recordsAcknowledged over all laps
 * @param recordsVerified of these, found where they were acknowledged with every byte
 * @param recordsGone of these, replaced by compaction, or deleted by the client
 * @param recordsCompared with every byte, over all readings
 * @param recordsLost acknowledged, and not there
 * @param recordsCorrupt with other bytes, there twice, out of order, or of an aborted transaction
 * @param memoryBytesMax own memory of the server, the most that was seen
 * @param memoryGrowthBytesMax the largest growth in a lap that left it running: the median of the
 *     last third less that of the middle one; null if none was long enough
 * @param descriptorsMax its open files and sockets
 * @param mappingsMax its mappings
 * @param beyondLimit when it first held more than is allowed, in words; empty: never
 * @param ok the verdict
 */
record SoakResult(
    String engine,
    long seed,
    long seconds,
    int laps,
    int calmLaps,
    Map<String, Integer> events,
    int killsInMoves,
    int starts,
    int vanillaStarts,
    int drains,
    int drainsKilled,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsGone,
    long recordsCompared,
    long recordsLost,
    long recordsCorrupt,
    long memoryBytesMax,
    Long memoryGrowthBytesMax,
    long descriptorsMax,
    long mappingsMax,
    String beyondLimit,
    boolean ok) {

  /**
   * The records of all laps; see the components of the same names.
   *
   * @param clean whether nothing that was read is wrong
   */
  record Records(
      long acknowledged, long verified, long gone, long lost, long corrupt, boolean clean) {}

  static SoakResult of(
      SoakedEngine engine, long seed, Duration time, SoakTally<?, ?> tally, Records records) {
    boolean complete =
        records.verified + records.gone == records.acknowledged && records.verified > 0;
    return new SoakResult(
        engine.toString(),
        seed,
        time.toSeconds(),
        tally.laps,
        tally.calmLaps,
        tally.events(),
        tally.killsInMoves,
        tally.starts,
        tally.vanillaStarts,
        tally.drains,
        tally.drainsKilled,
        records.acknowledged,
        records.verified,
        records.gone,
        tally.compared,
        records.lost,
        records.corrupt,
        tally.most().memoryBytes(),
        tally.growthMax(),
        tally.most().descriptors(),
        tally.most().mappings(),
        tally.beyond(),
        records.clean && complete && tally.beyond().isEmpty());
  }

  /** Prints it for people. */
  void print(PrintWriter out) {
    out.println();
    String acknowledged = Units.count(recordsAcknowledged, "acknowledged record");
    if (ok) {
      out.printf(
          "All %s are there, each compared by content, but %,d that were replaced or deleted.%n",
          acknowledged, recordsGone);
    } else {
      out.printf(
          "SOMETHING IS WRONG: of %s %d verified, %d gone, %d lost, %d corrupt. %s%n",
          acknowledged, recordsVerified, recordsGone, recordsLost, recordsCorrupt, beyondLimit);
    }
    out.printf(
        "  laps     %d, %d of them calm; %,d records compared over all readings%n",
        laps, calmLaps, recordsCompared);
    out.printf(
        "  events   %s%n",
        events.entrySet().stream()
            .map(each -> each.getKey().replace('_', ' ') + " " + each.getValue())
            .collect(Collectors.joining(", ")));
    out.printf(
        "           %d kills left an unfinished copy%n"
            + "  left     %s, and %d killed in the middle; the unmodified engine started %d times%n",
        killsInMoves, Units.count(drains, "drain"), drainsKilled, vanillaStarts);
    out.printf(
        "  server   at most %s of its own memory, %d descriptors, %d mappings; grew by %s in a calm"
            + " lap%n",
        Units.bytes(memoryBytesMax),
        descriptorsMax,
        mappingsMax,
        memoryGrowthBytesMax == null
            ? "an unknown amount"
            : Units.bytes(Math.max(0, memoryGrowthBytesMax)));
    out.printf("seed %d, %s%n", seed, Units.duration(Duration.ofSeconds(seconds)));
    out.flush();
  }
}
