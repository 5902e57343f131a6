// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.Setting;
import io.headpond.observe.Times;
import io.headpond.pmem.Durability;
import io.headpond.store.facts.StoreFacts;
import java.util.List;

/**
 * The state of Headpond's part in a bookie at one moment; metrics are made from it. Counts begin at
 * the start. Immutable, but for the histograms' arrays, which nobody else holds.
 *
 * @param atMs when it was taken, milliseconds since 1970
 * @param startedMs when the first journal was written to or the ledger storage started
 * @param journals the journal directories that are written to
 * @param entryLogs the ledger directories whose entry logs lie in two places
 * @param background the state of the threads that work beside the bookie's
 * @param configuration the settings that matter to them, with what is in effect
 */
public record BookieFacts(
    long atMs,
    long startedMs,
    List<Journal> journals,
    List<EntryLogs> entryLogs,
    StoreFacts.Background background,
    List<Setting> configuration) {
  /**
   * A journal directory.
   *
   * @param path where the journals lie
   * @param backEnd how they are written
   * @param durability what a power cut does to them
   * @param fileSystem the type of the file system
   * @param sizeBytes of the file system; negative: it can't be looked at
   * @param freeBytes of the file system; negative: it can't be looked at
   * @param appends writes by BookKeeper, each of a group of entries
   * @param appendedBytes what they wrote
   * @param appendTimes how long each took
   * @param forceTimes how long each force took that BookKeeper asked for
   * @param runAheadMisses appends that waited for their file to grow
   * @param files journals begun
   * @param reusedFiles those of them that were an old file
   * @param zeroedBytes what was zeroed for that
   * @param zeroedAheadBytes the length of the old file that is ready to be the next journal
   * @param failures appends, forces and beginnings of files that failed
   */
  public record Journal(
      String path,
      String backEnd,
      Durability durability,
      String fileSystem,
      long sizeBytes,
      long freeBytes,
      long appends,
      long appendedBytes,
      Times appendTimes,
      Times forceTimes,
      long runAheadMisses,
      long files,
      long reusedFiles,
      long zeroedBytes,
      long zeroedAheadBytes,
      long failures) {}

  /**
   * A ledger directory with its fast directory.
   *
   * @param path the ledger directory
   * @param fast the fast directory
   * @param durability what a power cut does to what lies there
   * @param fileSystem the type of its file system
   * @param capacityBytes what entry logs may use of it; negative: it can't be looked at
   * @param thresholdBytes what migration steers to; negative: nothing moves
   * @param usedBytes what entry logs use of it; negative: it can't be looked at
   * @param fastLogs how many there are on it; negative: it can't be looked at
   * @param movedLogs entry logs moved home
   * @param movedBytes what they held
   * @param overflowLogs entry logs created at home for want of room
   * @param migrationBlocked whether it is above its threshold and nothing can move
   * @param home the room in the ledger directory
   * @param writesFailed whether a write or a force failed, so that nothing is stored until a
   *     restart
   */
  public record EntryLogs(
      String path,
      String fast,
      Durability durability,
      String fileSystem,
      long capacityBytes,
      long thresholdBytes,
      long usedBytes,
      long fastLogs,
      long movedLogs,
      long movedBytes,
      long overflowLogs,
      boolean migrationBlocked,
      Home home,
      boolean writesFailed) {}

  /**
   * The room on a ledger directory's own disk.
   *
   * @param sizeBytes of the file system
   * @param freeBytes that it has
   * @param ballastBytes what the ballast there has
   * @param ballastWantedBytes what it is to have; 0: there is none
   * @param spent whether it is down to its last part, so that the bookie becomes read-only
   */
  public record Home(
      long sizeBytes, long freeBytes, long ballastBytes, long ballastWantedBytes, boolean spent) {
    /** True if the disk is full, and the ballast is being given back. */
    boolean full() {
      return spent || ballastBytes < ballastWantedBytes && freeBytes < ballastWantedBytes;
    }
  }
}
