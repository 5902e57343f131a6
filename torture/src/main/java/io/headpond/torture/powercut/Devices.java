// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

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
  /** Persistent memory, and disks that keep what they were sent. */
  public static final Devices NVDIMM = new Devices(FastDevice.NVDIMM, Disk.KEEPS, Memory.KEEPS);

  /** No persistent memory, and disks that forget. */
  public static final Devices FORGETTING_DISKS =
      new Devices(FastDevice.DISK, Disk.FORGETS, Memory.KEEPS);

  /** With ext4, and without a block cache. */
  Devices(FastDevice fast, Disk disk, Memory memory) {
    this(fast, disk, memory, GuestFileSystem.EXT4, BlockCache.NONE);
  }

  /** A machine with these. */
  Machine of(Machine machine, long seed) {
    return machine.with(fileSystem).with(disk, seed).with(memory, Omission.NONE).with(cache);
  }
}
