// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Device;

/**
 * The devices below all journals of a bookie.
 *
 * @param writesDurable is a write alone durable on each of them?
 * @param pageCache are some written through the page cache of a disk, and not mapped or in memory?
 * @param blockBytes the largest physical block of those; {@link BookieSettings#ALIGNMENT_BYTES}
 *     without any; 0: not known
 */
public record JournalDevices(boolean writesDurable, boolean pageCache, int blockBytes) {
  /** Both together. */
  public JournalDevices and(JournalDevices other) {
    return new JournalDevices(
        writesDurable && other.writesDurable,
        pageCache || other.pageCache,
        blockBytes == 0 || other.blockBytes == 0 ? 0 : Math.max(blockBytes, other.blockBytes));
  }

  /**
   * One journal's.
   *
   * @param pageCache is it written through the page cache of a disk?
   */
  public static JournalDevices of(Device device, boolean writesDurable, boolean pageCache) {
    Integer physical = device.disk().physicalBlockBytes();
    int block = physical == null ? 0 : Math.max(physical, BookieSettings.ALIGNMENT_BYTES);
    return new JournalDevices(
        writesDurable, pageCache, pageCache ? block : BookieSettings.ALIGNMENT_BYTES);
  }
}
