// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.powercut;

/**
 * What a {@link Guest} is built of.
 *
 * @param fileSystem of the NVDIMM: ext4 or xfs
 * @param nvdimmMiB size of the NVDIMM, MiB
 * @param homeMiB size of home's disk, MiB; its file is sparse
 * @param memoryMiB memory, MiB
 * @param port a TCP port of the guest that the host reaches by the same number on 127.0.0.1; 0: no
 *     network
 */
public record Machine(String fileSystem, int nvdimmMiB, int homeMiB, int memoryMiB, int port) {

  /** For the store alone. */
  public static Machine small(String fileSystem) {
    // mkfs.xfs refuses less than 300 MB.
    return new Machine(fileSystem, fileSystem.equals("xfs") ? 384 : 64, 192, 768, 0);
  }

  /** For an engine that clients of the host speak to. */
  public static Machine server(int port) {
    return new Machine("ext4", 128, 512, 1536, port);
  }
}
