// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.HomeReserve;
import io.headpond.store.event.Events;
import io.headpond.store.event.Incident;
import io.headpond.store.event.StoreCodes;
import io.headpond.store.layout.ForceStep;
import io.headpond.store.migrate.Situation;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room on a log directory's own disk, of which a reserve is left to the engine's indexes and
 * checkpoints. Any thread.
 */
final class HomeSpace {
  /** A disk that hasn't said by then how much room it has hangs. */
  static final long HUNG_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Path home;
  private final UUID id;
  private final Incidents incidents;
  private final FileStore fileStore;
  private final HomeReserve reserve;
  private final TimeSource time;

  /** The time when the oldest look that hasn't returned was begun; 0: all have. */
  private final AtomicLong lookingSinceNanos = new AtomicLong();

  private volatile boolean low;
  private volatile long reserveBytes;
  private volatile long sizeBytes;
  private volatile long freeBytes;

  private final ForceStep forceStep = new ForceStep();

  HomeSpace(
      final Home home, final HomeReserve reserve, final Incidents incidents, final TimeSource time)
      throws IOException {
    this.home = home.path();
    id = home.id();
    this.incidents = incidents;
    this.reserve = reserve;
    this.time = time;
    fileStore = Files.getFileStore(home.path());
    refresh();
  }

  /**
   * Bytes that segments may still take; negative when the reserve is touched already. Asks the
   * disk, which may hang.
   */
  long roomBytes() throws IOException {
    final long nowNanos = time.nanos() | 1; // never 0
    final boolean first = lookingSinceNanos.compareAndSet(0, nowNanos);
    try {
      sizeBytes = fileStore.getTotalSpace();
      freeBytes = fileStore.getUsableSpace();
    } finally {
      if (first) {
        lookingSinceNanos.set(0);
      }
    }
    reserveBytes = reserve.bytes(sizeBytes);
    return freeBytes - reserveBytes;
  }

  /** The state for a choice, as it was looked at last; the clock looks every second. */
  Situation.HomeState state() {
    return new Situation.HomeState(freeBytes - reserveBytes, low);
  }

  /** True while the disk leaves a look unanswered for longer than any healthy one does. */
  boolean hung(final long nowNanos) {
    final long since = lookingSinceNanos.get();
    return since != 0 && nowNanos - since > HUNG_NANOS;
  }

  /** As it was looked at last. */
  StoreFacts.Home facts() {
    return new StoreFacts.Home(id, home, sizeBytes, freeBytes, reserveBytes, low);
  }

  /** The bytes that copies to it force at once. */
  ForceStep forceStep() {
    return forceStep;
  }

  /** True if the reserve was touched when it was looked at last. */
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
