// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.load.Fields;
import java.util.Map;

/**
 * The parts that a {@link Guest} is built of.
 *
 * @param fileSystem of the NVDIMM, of home's disk and of the fast one
 * @param nvdimmMiB size of the NVDIMM, MiB
 * @param diskMiB size of home's disk and of the fast one, MiB; their files are sparse
 * @param memoryMiB memory, MiB
 * @param port a TCP port of the guest that the host reaches by the same number on 127.0.0.1, while
 *     the guest reaches the host as {@link #HOST}; 0: no network
 * @param disk whether its disks forget
 * @param memory whether its NVDIMM does
 * @param omitted what the programs of a guest whose NVDIMM forgets leave out
 * @param seed what they forget follows from it
 */
public record Machine(
    GuestFileSystem fileSystem,
    int nvdimmMiB,
    int diskMiB,
    int memoryMiB,
    int port,
    Disk disk,
    Memory memory,
    Omission omitted,
    long seed) {

  /** The host's 127.0.0.1 as a guest sees it. */
  static final String HOST = "10.0.2.2";

  /** For the store alone; its disks keep everything. */
  public static Machine small(GuestFileSystem fileSystem) {
    return new Machine(
            GuestFileSystem.EXT4, 64, 192, 768, 0, Disk.KEEPS, Memory.KEEPS, Omission.NONE, 0)
        .with(fileSystem);
  }

  /** For an engine that clients of the host speak to. */
  static Machine server(int port) {
    return new Machine(
        GuestFileSystem.EXT4, 128, 512, 1536, port, Disk.KEEPS, Memory.KEEPS, Omission.NONE, 0);
  }

  /** The same with another file system, and devices that are large enough for it. */
  Machine with(GuestFileSystem other) {
    return Fields.with(
        this,
        Map.of(
            "fileSystem",
            other,
            "nvdimmMiB",
            other.mebibytes(nvdimmMiB),
            "diskMiB",
            other.mebibytes(diskMiB)));
  }

  /** The same with other disks. */
  public Machine with(Disk other, long otherSeed) {
    return Fields.with(this, Map.of("disk", other, "seed", otherSeed));
  }

  /** The same with another NVDIMM, and programs that leave something out. */
  public Machine with(Memory other, Omission otherOmitted) {
    return Fields.with(this, Map.of("memory", other, "omitted", otherOmitted));
  }
}
