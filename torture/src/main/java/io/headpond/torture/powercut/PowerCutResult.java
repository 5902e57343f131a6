// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * The result of {@code headpond-lab powercut}; the document that {@code --json} writes, with its
 * keys in snake case.
 *
 * @param engine as {@code --engine} names it
 * @param nvdimm always {@code emulated}
 * @param disk {@code keeps} or {@code forgets} (simulated): what was sent and not flushed
 * @param memory {@code keeps} or {@code forgets} (simulated): cache lines that weren't written back
 * @param fileSystem of home, of the fast disk and of the NVDIMM: {@code ext4} or {@code xfs}
 * @param seed records, settings and moments follow from it
 * @param rounds cuts of the power
 * @param instants at which the disks were copied and compared, without a reboot
 * @param writesUnflushed that disks which forget held at cuts and instants, summed
 * @param writesLost of these, whole
 * @param writesTorn of these, some of their sectors lost
 * @param linesUndurable cache lines of memory which forgets, not written back and fenced, summed
 * @param linesLost of these, whole
 * @param linesTorn of these, some of their 8-byte atoms lost
 * @param cutsDuring how many of cuts and instants came into the middle of what
 * @param recordsAcknowledged before the last cut, and not deleted by the load since
 * @param recordsVerified of these, found after the last cut with every byte
 * @param recordsLost acknowledged, and not there after a cut
 * @param recordsCorrupt with other bytes, or in a log whose end, order or links are wrong
 * @param recordsDeleted acknowledged, and then deleted or truncated by the load itself
 * @param recordsCompared those found after each of the cuts, summed
 * @param controlRecordsAcknowledged by the control, which forces nothing
 * @param controlRecordsLost of these, not there after the cut; 0: nothing is proved
 * @param seconds that it took
 */
record PowerCutResult(
    String engine,
    String nvdimm,
    String disk,
    String memory,
    String fileSystem,
    long seed,
    int rounds,
    int instants,
    long writesUnflushed,
    long writesLost,
    long writesTorn,
    long linesUndurable,
    long linesLost,
    long linesTorn,
    Map<String, Integer> cutsDuring,
    long recordsAcknowledged,
    long recordsVerified,
    long recordsLost,
    long recordsCorrupt,
    long recordsDeleted,
    long recordsCompared,
    long controlRecordsAcknowledged,
    long controlRecordsLost,
    long seconds) {

  static PowerCutResult of(
      PowerCutEngine engine,
      Disk disk,
      Memory memory,
      GuestFileSystem fileSystem,
      CutsReport cuts,
      ControlFinding control,
      long seconds) {
    return new PowerCutResult(
        engine.id(),
        "emulated",
        disk.id(),
        memory.id(),
        fileSystem.id(),
        cuts.seed(),
        cuts.cuts(),
        cuts.instants(),
        cuts.losses().disks().writes(),
        cuts.losses().disks().lost(),
        cuts.losses().disks().torn(),
        cuts.losses().memory().writes(),
        cuts.losses().memory().lost(),
        cuts.losses().memory().torn(),
        cuts.moments(),
        cuts.acknowledged(),
        cuts.verified(),
        cuts.lost(),
        cuts.corrupt(),
        cuts.deleted(),
        cuts.compared(),
        control.acknowledged(),
        control.lost(),
        seconds);
  }

  /** True if nothing is lost or corrupt, and everything was looked for. */
  @JsonIgnore
  boolean clean() {
    return recordsLost == 0
        && recordsCorrupt == 0
        && recordsVerified == recordsAcknowledged
        && recordsVerified > 0;
  }

  /** True if the same cut loses what isn't forced: else a clean result means nothing. */
  @JsonIgnore
  boolean proves() {
    return controlRecordsLost > 0;
  }
}
