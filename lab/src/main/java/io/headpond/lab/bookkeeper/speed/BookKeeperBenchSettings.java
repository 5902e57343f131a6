// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.speed;

import io.headpond.harness.process.JavaHome;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.ComparedVariant;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@link BookKeeperBench} measures.
 *
 * @param baselines what {@link JournalVariant#HEADPOND} is compared with
 * @param points loads
 * @param starts how often all bookies and clients are started afresh: compilers decide anew
 * @param rounds turns of each variant under each load and start
 * @param seconds measured length of a turn
 * @param warmUpSeconds at the largest window before the first turn of each variant after a start
 * @param fast a folder on the fast device
 * @param home a folder on disk, also for all ledgers
 * @param java runs bookies and clients
 */
public record BookKeeperBenchSettings(
    List<JournalVariant> baselines,
    List<LoadPoint> points,
    int starts,
    int rounds,
    double seconds,
    double warmUpSeconds,
    Path fast,
    Path home,
    JavaHome java) {

  private static final int ENTRY_BYTES_MIN = 64;

  /** Below the largest frame that a bookie accepts. */
  private static final int ENTRY_BYTES_MAX = 4 << 20;

  private static final int WINDOW_MAX = 10_000;

  /** Bytes under way, which client and bookie hold in memory. */
  private static final long IN_FLIGHT_MAX = 64L << 20;

  /** Checks what would fail in the middle. */
  public BookKeeperBenchSettings {
    baselines = List.copyOf(baselines);
    points = List.copyOf(points);
    if (baselines.contains(JournalVariant.HEADPOND)) {
      throw new IllegalArgumentException("headpond is what the others are compared with");
    }
    if (starts < 1 || starts > 100) {
      throw new IllegalArgumentException("bookies are started 1 to 100 times, not " + starts);
    }
    if (rounds < 1 || rounds > 1000 || seconds < 0.1 || seconds > 600) {
      throw new IllegalArgumentException("1 to 1000 rounds of 0.1 s to 600 s are measured");
    }
    for (LoadPoint point : points) {
      if (point.entryBytes() < ENTRY_BYTES_MIN || point.entryBytes() > ENTRY_BYTES_MAX) {
        throw new IllegalArgumentException(
            "an entry has 64 B to 4 MiB, not " + point.entryBytes() + " bytes");
      }
      if (point.window() < 1 || point.window() > WINDOW_MAX) {
        throw new IllegalArgumentException(
            "a window is 1 to " + WINDOW_MAX + " adds, not " + point.window());
      }
      if ((long) point.window() * point.entryBytes() > IN_FLIGHT_MAX) {
        throw new IllegalArgumentException(
            "a window of "
                + point.window()
                + " entries of "
                + point.entryBytes()
                + " bytes is more than the 64 MiB that may be under way");
      }
    }
  }

  /** {@link JournalVariant#HEADPOND} and its baselines. */
  public List<JournalVariant> variants() {
    return ComparedVariant.withBaselines(JournalVariant.HEADPOND, baselines);
  }
}
