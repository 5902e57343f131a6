// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.Units;
import io.headpond.harness.load.ContentReport;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * The result of a bookie's soak; the document that {@code --json} writes, with its keys in snake
 * case. An entry is a message where Pulsar writes.
 *
 * @param engine that was asked for: bookie, or pulsar
 * @param seed events, settings and entries follow from it; the machine's own timing doesn't
 * @param seconds that it took
 * @param laps each ends with the unmodified bookie and a drain
 * @param calmLaps of these, those that left every process running
 * @param kills SIGKILL of the bookie while entries were written
 * @param killsInMoves of these, those that left the unfinished copy of an entry log
 * @param restarts SIGTERM while entries were written
 * @param brokerKills SIGKILL of the broker; null without one
 * @param brokerRestarts SIGTERM of the broker; null without one
 * @param bookieStarts with Headpond
 * @param vanillaStarts of the bookie without it, on the same files
 * @param drains to the end
 * @param drainsKilled in their middle
 * @param fullDevices times that the fast device had no free byte; null if none can be made here
 * @param readAgain times that everything was read between the writing
 * @param deletions of half of the ledgers, between the writing; null where a broker deletes them
 * @param logsAtHome entry logs at home at the laps' ends, before the drain
 * @param logsOnFast those on the fast device then
 * @param entriesAcknowledged over all laps
 * @param entriesVerified of these, found where they were acknowledged with every byte
 * @param entriesDeleted of these, deleted by the client before the lap's end
 * @param entriesCompared with every byte, over all readings
 * @param entriesLost acknowledged, and not there
 * @param entriesCorrupt with other bytes, in another one's place or out of order
 * @param memoryBytesMax own memory of the bookie, the most that was seen
 * @param descriptorsMax its open files and sockets
 * @param mappingsMax its mappings
 * @param memoryGrowthBytesMax the largest growth in a lap that left it running: the median of the
 *     last third less that of the middle one; null if there was no such lap
 * @param brokerMemoryBytesMax own memory of the broker; null without one
 * @param beyondLimit when the bookie first held more than is allowed, in words; empty: never
 * @param ok the verdict
 */
record BookieSoakResult(
    String engine,
    long seed,
    long seconds,
    int laps,
    int calmLaps,
    int kills,
    int killsInMoves,
    int restarts,
    Integer brokerKills,
    Integer brokerRestarts,
    int bookieStarts,
    int vanillaStarts,
    int drains,
    int drainsKilled,
    Integer fullDevices,
    int readAgain,
    Integer deletions,
    long logsAtHome,
    long logsOnFast,
    long entriesAcknowledged,
    long entriesVerified,
    long entriesDeleted,
    long entriesCompared,
    long entriesLost,
    long entriesCorrupt,
    long memoryBytesMax,
    long descriptorsMax,
    long mappingsMax,
    Long memoryGrowthBytesMax,
    Long brokerMemoryBytesMax,
    String beyondLimit,
    boolean ok) {

  /**
   * @param fullDevices whether a device can be filled here
   * @param broker whether there is one
   */
  static BookieSoakResult of(
      String engine,
      long seed,
      long seconds,
      BookieSoakTally tally,
      boolean fullDevices,
      boolean broker) {
    ContentReport all = tally.all();
    boolean complete = all.verified() + tally.deleted == tally.acknowledged && all.verified() > 0;
    return new BookieSoakResult(
        engine,
        seed,
        seconds,
        tally.laps,
        tally.calmLaps,
        tally.count(BookieSoakEvent.KILL) + tally.count(BookieSoakEvent.KILL_IN_A_MOVE),
        tally.killsInMoves,
        tally.count(BookieSoakEvent.RESTART),
        broker ? tally.count(BookieSoakEvent.BROKER_KILL) : null,
        broker ? tally.count(BookieSoakEvent.BROKER_RESTART) : null,
        tally.starts,
        tally.vanillaStarts,
        tally.drains,
        tally.drainsKilled,
        fullDevices ? tally.count(BookieSoakEvent.FULL_DEVICE) : null,
        tally.count(BookieSoakEvent.READ_ALL),
        broker ? null : tally.count(BookieSoakEvent.DELETION),
        tally.logsAtHome,
        tally.logsOnFast,
        tally.acknowledged,
        all.verified(),
        tally.deleted,
        tally.compared,
        all.lost(),
        all.corrupt(),
        tally.most().memoryBytes(),
        tally.most().descriptors(),
        tally.most().mappings(),
        tally.growthMax(),
        broker ? tally.brokerMost().memoryBytes() : null,
        tally.beyond(),
        all.clean() && complete && tally.beyond().isEmpty());
  }

  /** For people. */
  void print(PrintWriter out) {
    out.println();
    String entries = Units.count(entriesAcknowledged, "acknowledged entry", "acknowledged entries");
    if (ok) {
      out.printf(
          "All %s are there, each compared by content, but %,d that were deleted.%n",
          entries, entriesDeleted);
    } else {
      out.printf(
          "SOMETHING IS WRONG: of %s %d verified, %d deleted, %d lost, %d corrupt; %s.%n",
          entries,
          entriesVerified,
          entriesDeleted,
          entriesLost,
          entriesCorrupt,
          beyondLimit.isEmpty() ? "the bookie held no more than it may" : beyondLimit);
    }
    out.printf(
        "  laps       %d, %d of them calm; %,d entries compared over all readings%n",
        laps, calmLaps, entriesCompared);
    out.printf(
        "  ended      %d times by SIGKILL, %d of them while a log was copied; %d by SIGTERM%n",
        kills, killsInMoves, restarts);
    if (brokerKills != null) {
      out.printf(
          "  broker     ended %d times by SIGKILL, %d by SIGTERM; at most %s of its own memory%n",
          brokerKills, brokerRestarts, Units.bytes(brokerMemoryBytesMax));
    }
    out.printf(
        "  written    onto a full device %s times; read again %d times; half deleted %s times%n",
        fullDevices == null ? "no" : fullDevices, readAgain, deletions == null ? "no" : deletions);
    out.printf(
        "  logs       %d at home and %d on the fast device, at the ends of all laps%n",
        logsAtHome, logsOnFast);
    out.printf(
        "  left       %s, and %d killed in the middle; the unmodified bookie started %d times%n",
        Units.count(drains, "drain"), drainsKilled, vanillaStarts);
    out.printf(
        "  bookie     at most %s of its own memory, %d descriptors, %d mappings; grew by %s in a calm lap%n",
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
