// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/**
 * The parts that a {@link Guest} is built of.
 *
 * @param fileSystem of the NVDIMM: ext4 or xfs
 * @param nvdimmMiB size of the NVDIMM, MiB
 * @param homeMiB size of home's disk, MiB; its file is sparse
 * @param memoryMiB memory, MiB
 * @param port a TCP port of the guest that the host reaches by the same number on 127.0.0.1; 0: no
 *     network
 * @param reachesHost whether the guest reaches the host, as {@link #HOST}
 */
public record Machine(
    String fileSystem, int nvdimmMiB, int homeMiB, int memoryMiB, int port, boolean reachesHost) {

  /** The host's 127.0.0.1 as a guest sees it. */
  static final String HOST = "10.0.2.2";

  /** For the store alone. */
  public static Machine small(String fileSystem) {
    // mkfs.xfs refuses less than 300 MB.
    return new Machine(fileSystem, fileSystem.equals("xfs") ? 384 : 64, 192, 768, 0, false);
  }

  /** For an engine that clients of the host speak to. */
  static Machine server(int port, boolean reachesHost) {
    return new Machine("ext4", 128, 512, 1536, port, reachesHost);
  }
}
