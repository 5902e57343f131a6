// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/**
 * The devices below an engine in a guest.
 *
 * @param fast where what is written first lies
 * @param disk whether home's disk and the fast one forget
 * @param memory whether persistent memory does
 * @param fileSystem of all of them
 */
public record Devices(FastDevice fast, Disk disk, Memory memory, GuestFileSystem fileSystem) {
  /** Persistent memory, and disks that keep what they were sent. */
  public static final Devices NVDIMM =
      new Devices(FastDevice.NVDIMM, Disk.KEEPS, Memory.KEEPS, GuestFileSystem.EXT4);

  /** No persistent memory, and disks that forget. */
  public static final Devices FORGETTING_DISKS =
      new Devices(FastDevice.DISK, Disk.FORGETS, Memory.KEEPS, GuestFileSystem.EXT4);

  /** A machine with these. */
  Machine of(Machine machine, long seed) {
    return machine.with(fileSystem).with(disk, seed).with(memory, Omission.NONE);
  }
}
