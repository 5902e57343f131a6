// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The room on a log directory's own disk, of which a reserve is left to the engine's indexes and
 * checkpoints. Any thread.
 */
final class HomeSpace {
  private final Path home;
  private final UUID id;
  private final Incidents incidents;
  private final FileStore fileStore;
  private final HomeReserve reserve;
  private volatile boolean low;
  private volatile long reserveBytes;
  private volatile long sizeBytes;
  private volatile long freeBytes;

  HomeSpace(final Home home, final HomeReserve reserve, final Incidents incidents)
      throws IOException {
    this.home = home.path();
    id = home.id();
    this.incidents = incidents;
    this.reserve = reserve;
    fileStore = Files.getFileStore(home.path());
    refresh();
  }

  /** Bytes that segments may still take; negative when the reserve is touched already. */
  long roomBytes() throws IOException {
    sizeBytes = fileStore.getTotalSpace();
    freeBytes = fileStore.getUsableSpace();
    reserveBytes = reserve.bytes(sizeBytes);
    return freeBytes - reserveBytes;
  }

  /** As it was looked at last. */
  StoreFacts.Home facts() {
    return new StoreFacts.Home(id, home, sizeBytes, freeBytes, reserveBytes, low);
  }

  /** Was the reserve touched when it was looked at last? */
  boolean low() {
    return low;
  }

  /**
   * Looks again, and says so when it changed.
   *
   * @return is the reserve touched now and wasn't, or the other way round?
   */
  boolean refresh() {
    try {
      final long room = roomBytes();
      final boolean now = room <= 0;
      if (now && !low) {
        StoreCodes.HOME_LOW.log(home, freeBytes, reserve);
        incidents.note(
            Incident.HOME_LOW, home + ": only " + freeBytes + " B free, the reserve is " + reserve);
      } else if (!now && low) {
        Events.LOG.info("{}: has room again", home);
      }
      final boolean changed = now != low;
      low = now;
      return changed;
    } catch (final IOException e) {
      StoreCodes.HOME_UNREADABLE.log(home, e);
      return false;
    }
  }
}
