// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.Times;
import io.headpond.pmem.Durability;
import io.headpond.store.facts.StoreFacts;
import java.util.List;

/**
 * The state of Headpond's part in a bookie at one moment; metrics are made from it. Counts begin at
 * the start. Immutable, but for the histograms' arrays, which nobody else holds.
 *
 * @param journals the journal directories that are written to
 * @param entryLogs the ledger directories whose entry logs lie in two places
 * @param background the state of Headpond's threads
 */
public record BookieFacts(
    List<Journal> journals, List<EntryLogs> entryLogs, StoreFacts.Background background) {
  /**
   * A journal directory.
   *
   * @param path of the directory
   * @param durability the device's protection
   * @param sizeBytes of the file system; negative: unknown, it can't be read
   * @param freeBytes of the file system; negative: unknown, it can't be read
   * @param appends BookKeeper's writes, each of a group of entries
   * @param appendedBytes the bytes of those writes
   * @param appendTimes the duration of each write
   * @param forceTimes the duration of each force that BookKeeper asked for
   * @param runAheadMisses appends that waited for their file to grow
   * @param files journals begun
   * @param reusedFiles those of them that were an old file
   * @param failures appends, forces and beginnings of files that failed
   */
  public record Journal(
      String path,
      Durability durability,
      long sizeBytes,
      long freeBytes,
      long appends,
      long appendedBytes,
      Times appendTimes,
      Times forceTimes,
      long runAheadMisses,
      long files,
      long reusedFiles,
      long failures) {}

  /**
   * A ledger directory with its fast directory.
   *
   * @param path the ledger directory
   * @param durability the fast device's protection
   * @param capacityBytes the fast directory's room for entry logs; negative: unknown, it can't be
   *     read
   * @param thresholdBytes the bytes that migration aims at; negative: nothing moves
   * @param usedBytes the bytes of entry logs there; negative: unknown, it can't be read
   * @param movedBytes of entry logs moved home
   * @param moveFailures moves that failed
   * @param overflowLogs entry logs created at home because the fast directory had no room
   * @param migrationBlocked true while it is above its threshold and nothing can move
   * @param homeBallastBytes of the ballast in the ledger directory
   * @param homeSpent true while the ballast is down to its last part, so that the bookie becomes
   *     read-only
   * @param writesFailed true after a failed write or force: nothing is stored until a restart
   */
  public record EntryLogs(
      String path,
      Durability durability,
      long capacityBytes,
      long thresholdBytes,
      long usedBytes,
      long movedBytes,
      long moveFailures,
      long overflowLogs,
      boolean migrationBlocked,
      long homeBallastBytes,
      boolean homeSpent,
      boolean writesFailed) {}
}
