// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;

/** The file system of a guest's NVDIMM, of home's disk and of the fast one. */
public enum GuestFileSystem {
  /** Made on the host, whose programs can replay its journal and read it without a mount. */
  EXT4(0, 512),

  /**
   * Made by the guest at its first boot. It survives no cut that tears a block of its metadata: its
   * recovery leaves a block alone whose first sector is as young as the log.
   */
  XFS(384, 4096);

  private final int mebibytesMin;
  private final int blockBytes;

  GuestFileSystem(int mebibytesMin, int blockBytes) {
    this.mebibytesMin = mebibytesMin;
    this.blockBytes = blockBytes;
  }

  /** The physical block of its disks, between which a cut tears writes, bytes. */
  int blockBytes() {
    return blockBytes;
  }

  /** The size of a device that is to have so many MiB: mkfs.xfs refuses less than 300 MB. */
  int mebibytes(int wanted) {
    return Math.max(wanted, mebibytesMin);
  }

  /** As {@code --file-system} and the mount table name it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return id();
  }
}
