// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A persist back end in a folder where it works. */
record BackEnds(Path folder, Device device, PersistBackend backend, boolean persistEachWrite) {

  /** All that work in this JVM, each in a folder of its own. */
  static List<BackEnds> all() throws IOException {
    List<BackEnds> all = new ArrayList<>();
    all.add(of(Folders.inMemory(), PersistBackend.NONE, false));
    all.add(of(Folders.inMemory(), PersistBackend.MSYNC, false));
    all.add(of(Folders.onDisk(), PersistBackend.MSYNC, false));
    all.add(of(Folders.onDisk(), PersistBackend.MSYNC, true));
    Path disk = Folders.onDisk();
    if (Device.detect(disk).writesInPlace()) {
      all.add(of(disk, PersistBackend.DSYNC, false));
      all.add(of(Folders.onDisk(), PersistBackend.WRITE, false));
    }
    if (Mapper.libpmemUnavailable().isEmpty()) {
      all.add(of(Folders.inMemory(), PersistBackend.LIBPMEM, false));
    }
    return all;
  }

  static BackEnds of(Path folder, PersistBackend backend, boolean each) throws IOException {
    Device device = Device.detect(folder);
    if (backend != PersistBackend.WRITE) { // chosen by whoever forces
      Persist.choose(device, Optional.of(backend));
    }
    return new BackEnds(folder, device, backend, each);
  }

  MappedFileOptions options(Space space, RunAhead runAhead) {
    return MappedFileOptions.of(device, backend, space, runAhead)
        .persistEachWrite(persistEachWrite);
  }

  @Override
  public String toString() {
    return backend.key()
        + " on "
        + device.fileSystemType()
        + (persistEachWrite ? ", each write persisted" : "");
  }
}
