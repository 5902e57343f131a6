// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The room on a log directory's own disk, of which a reserve is left to the engine's indexes and
 * checkpoints. Any thread.
 */
final class HomeSpace {
  private final Path home;
  private final FileStore fileStore;
  private final HomeReserve reserve;
  private volatile boolean low;
  private volatile long reserveBytes;

  HomeSpace(final Path home, final HomeReserve reserve) throws IOException {
    this.home = home;
    this.reserve = reserve;
    fileStore = Files.getFileStore(home);
    refresh();
  }

  /** Bytes that segments may still take; negative when the reserve is touched already. */
  long roomBytes() throws IOException {
    reserveBytes = reserve.bytes(fileStore.getTotalSpace());
    return fileStore.getUsableSpace() - reserveBytes;
  }

  /** Bytes that are left to the engine, of the file system as it was looked at last. */
  long reserveBytes() {
    return reserveBytes;
  }

  /** Was the reserve touched when it was looked at last? */
  boolean low() {
    return low;
  }

  /** Looks again, and says so when it changed. */
  void refresh() {
    try {
      final long room = roomBytes();
      final boolean now = room <= 0;
      if (now && !low) {
        Events.LOG.error(
            "{}: only {} B are free, and {} is {}: nothing more is moved or put there while a tier"
                + " has room. Make room, or lower the retention.",
            home,
            fileStore.getUsableSpace(),
            ConfigKey.HOME_RESERVE.name(),
            reserve);
      } else if (!now && low) {
        Events.LOG.info("{}: has room again", home);
      }
      low = now;
    } catch (final IOException e) {
      Events.LOG.warn("{}: can't be asked for its free space", home, e);
    }
  }
}
