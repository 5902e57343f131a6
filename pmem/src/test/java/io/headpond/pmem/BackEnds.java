// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A persist back end in a folder where it works. */
record BackEnds(Path folder, Device device, PersistBackend backend) {

  /** All that work in this JVM, each in a folder of its own. */
  static List<BackEnds> all() throws IOException {
    List<BackEnds> all = new ArrayList<>();
    all.add(of(Folders.inMemory(), PersistBackend.NONE));
    Path disk = Folders.onDisk();
    if (Device.detect(disk).writesInPlace()) {
      all.add(of(disk, PersistBackend.DSYNC));
      all.add(of(Folders.onDisk(), PersistBackend.WRITE));
    }
    if (Mapper.libpmemUnavailable().isEmpty()) {
      all.add(of(Folders.inMemory(), PersistBackend.LIBPMEM));
    }
    return all;
  }

  static BackEnds of(Path folder, PersistBackend backend) throws IOException {
    return new BackEnds(folder, Device.detect(folder), backend);
  }

  MappedFileOptions options(Space space, RunAhead runAhead) {
    return MappedFileOptions.of(device, backend, space, runAhead);
  }

  @Override
  public String toString() {
    return backend.key() + " on " + device.fileSystemType();
  }
}
