// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;

/** The file system of a guest's NVDIMM, of home's disk and of the fast one. */
public enum GuestFileSystem {
  /** Made on the host, whose programs can replay its journal and read it without a mount. */
  EXT4(0),

  /** Made by the guest at its first boot. */
  XFS(384);

  private final int mebibytesMin;

  GuestFileSystem(int mebibytesMin) {
    this.mebibytesMin = mebibytesMin;
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
