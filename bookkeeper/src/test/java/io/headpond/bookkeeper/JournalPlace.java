// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.SimulatedDisks;
import java.io.IOException;
import java.nio.file.Path;

/** A device for journals, and the channel that writes them there. */
enum JournalPlace {
  /** A disk whose file system writes in place: {@link WrittenJournalChannel}. */
  DISK,
  /** A disk whose file system copies on write: {@link PlainJournalChannel}. */
  COPYING_DISK,
  /** Persistent memory: {@link MappedJournalChannel}. */
  MEMORY;

  Path device(SimulatedDisks disks) throws IOException {
    return disks.device("journal", this == MEMORY, this == COPYING_DISK ? "btrfs" : "ext4");
  }
}
