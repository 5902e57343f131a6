// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The bytes that were added to plain files of entry logs in a live bookie's ledger directory. While
 * the fast device has room, only a compaction adds to one: a migrated log appears there complete.
 */
final class OutputGrowth {
  private static final long LOOK_NANOS = 2_000_000;

  private final Path current;
  private final Map<Path, Long> sizes = new HashMap<>();
  private long bytes;

  /** Counts from now on. */
  OutputGrowth(Path current) throws IOException {
    this.current = current;
    look();
  }

  private void look() throws IOException {
    for (Path file : EntryLogs.files(current)) {
      try {
        if (!Files.isSymbolicLink(file)) {
          long size = Files.size(file);
          Long before = sizes.put(file, size);
          bytes += before == null ? 0 : size - before;
        }
      } catch (NoSuchFileException e) {
        sizes.remove(file);
      }
    }
  }

  /** Waits for so many bytes; false if they didn't come within the limit. */
  boolean await(long wanted, Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (bytes < wanted) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
      look();
    }
    return true;
  }
}
