// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.util.List;

/**
 * The devices below an engine in a guest.
 *
 * @param fast where what is written first lies
 * @param disk whether home's disk and the fast one forget
 * @param memory whether persistent memory does
 * @param fileSystem of all of them
 * @param cache of the kernel, by the fast disk before home's
 */
public record Devices(
    FastDevice fast, Disk disk, Memory memory, GuestFileSystem fileSystem, BlockCache cache) {
  /** As the plug-ins' logs and reports name it. */
  static final String ZEROS_BY_CALL = "write-zeroes";

  private static final String ZEROS_AHEAD = "zeros ahead";

  /** Persistent memory, and disks that keep what they were sent. */
  public static final Devices NVDIMM = new Devices(FastDevice.NVDIMM, Disk.KEEPS, Memory.KEEPS);

  /** No persistent memory, and disks that forget. */
  public static final Devices FORGETTING_DISKS =
      new Devices(FastDevice.DISK, Disk.FORGETS, Memory.KEEPS);

  /** With ext4, and without a block cache. */
  Devices(FastDevice fast, Disk disk, Memory memory) {
    this(fast, disk, memory, GuestFileSystem.EXT4, BlockCache.NONE);
  }

  /**
   * The way of an engine's zeros ahead, in words that follow others, as its plug-in says it at its
   * start; nothing where the fast disk isn't there for that.
   *
   * @throws IOException if it is another one
   */
  String describeZeros(Boot boot) throws IOException {
    if (disk != Disk.ZEROES) {
      return "";
    }
    List<String> said =
        boot.consoleLines().stream().filter(line -> line.contains(ZEROS_AHEAD)).toList();
    if (!said.stream().allMatch(line -> line.contains(ZEROS_BY_CALL))) {
      throw boot.failed("zeros ahead aren't made by " + ZEROS_BY_CALL);
    }
    return said.isEmpty() ? "" : ", zeros ahead by " + ZEROS_BY_CALL;
  }

  /** A machine with these. */
  Machine of(Machine machine, long seed) {
    return machine.with(fileSystem).with(disk, seed).with(memory, Omission.NONE).with(cache);
  }
}
