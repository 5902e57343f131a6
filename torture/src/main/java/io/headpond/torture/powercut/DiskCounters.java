// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.util.List;

/**
 * The kernel's counters of a disk since its start. Source of the fields: {@code
 * Documentation/block/stat.rst} of the Linux kernel.
 *
 * @param writes completed
 * @param bytes written
 * @param flushes of the disk's cache completed
 */
record DiskCounters(long writes, long bytes, long flushes) {
  /** The fields of a {@code stat} file since Linux 5.5. */
  static final int FIELDS = 17;

  static final DiskCounters NOTHING = new DiskCounters(0, 0, 0);

  private static final int WRITES = 4;
  private static final int SECTORS_WRITTEN = 6;
  private static final int FLUSHES = 15;
  private static final int SECTOR_BYTES = 512;

  /**
   * As {@code /sys/block/NAME/stat} has them.
   *
   * @throws IOException if there are fewer fields than a kernel that counts flushes has
   */
  static DiskCounters of(List<String> stat) throws IOException {
    if (stat.size() < FIELDS) {
      throw new IOException("the guest's kernel doesn't count flushes: " + stat);
    }
    try {
      return new DiskCounters(
          Long.parseLong(stat.get(WRITES)),
          Long.parseLong(stat.get(SECTORS_WRITTEN)) * SECTOR_BYTES,
          Long.parseLong(stat.get(FLUSHES)));
    } catch (NumberFormatException e) {
      throw new IOException("these are no counters of a disk: " + stat, e);
    }
  }

  /** Since earlier ones. */
  DiskCounters since(DiskCounters earlier) {
    return new DiskCounters(
        writes - earlier.writes, bytes - earlier.bytes, flushes - earlier.flushes);
  }
}
