// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.home;

import io.headpond.pmem.Mount;
import io.headpond.pmem.Shortage;
import io.headpond.store.claim.Home;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.ByteSize;
import io.headpond.store.event.Events;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.facts.Incidents;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.CopySteps;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.migrate.Situation;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * The room on a log directory's own disk, of which a reserve is left to the engine's indexes and
 * checkpoints. Any thread.
 *
 * <p>Design note: the engine maps its indexes and stores into them after it has appended. A store
 * that finds no block fails where the engine doesn't expect it, with the append already in the log:
 * the next one would get the same offset. So each append first makes sure that home has room for
 * what follows it ({@link #awaitRoom}), by giving {@link HomeBallast} back if need be, and is
 * refused otherwise, before a byte of it is written. A program that fills the disk takes what it is
 * given, so ballast goes back only after it has met the disk's end. Nobody writes in the moment in
 * which nothing is free: all of the engine's writes at home wait for room that lasts.
 */
public final class HomeSpace {
  /** A disk that hasn't said by then how much room it has hangs. */
  static final long HUNG_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Room for what the engine stores at home beside the appends under way: a few pages for each. */
  public static final long ENGINE_BYTES = 1 << 20;

  /** Room that a write has to find now and then, where there may be a quota. */
  private static final long PROVEN_BYTES = 8 << 20;

  /** With more room appends don't look themselves. */
  static final long SCARCE_BYTES = 256L << 20;

  /**
   * So often, and so long, an append looks for room until it is refused: less than clients wait.
   */
  private static final int LOOKS_MAX = 2_500;

  private static final long LOOKING_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** So often it looks whether the room lasts: 200 ms. Then what is there has to do. */
  private static final int LASTING_LOOKS_MAX = 100;

  private static final long LOOK_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final Path home;
  private final UUID id;
  private final StoreConfig config;
  private final Incidents incidents;
  private final FileStore fileStore;
  private final TimeSource time;

  /** The time when the oldest look that hasn't returned was begun; 0: all have. */
  private final AtomicLong lookingSinceNanos = new AtomicLong();

  private volatile boolean low;
  private volatile boolean scarce;
  private volatile long reserveBytes;
  private volatile long sizeBytes;
  private volatile long freeBytes;

  /** True if the file system may name more as free than what home takes. */
  private final boolean quotas;

  /** False if home doesn't take so many bytes, though its file system may name them as free. */
  private final LongPredicate takes;

  /** Bytes written here since the last proof of room. */
  private final AtomicLong unprovenBytes = new AtomicLong();

  /**
   * True from a write that found no room until the ballast is whole again: until then what the file
   * system names as free isn't believed, since it knows of no quota.
   */
  private volatile boolean refused;

  private volatile long refusedNanos;

  /** The last answer while it is refused, and its time. Guarded by this. */
  private boolean taken;

  private long takenNanos;

  private final RoomTrend trend = new RoomTrend();
  private final HomeBallast ballast;
  private final boolean watched;
  private final CopySteps copySteps;
  private volatile boolean unreadable;
  private volatile boolean closed;

  HomeSpace(
      final Home home,
      final StoreConfig config,
      final Incidents incidents,
      final DirectoryForce names,
      final TimeSource time)
      throws IOException {
    this(
        home,
        Files.getFileStore(home.path()),
        Mount.of(home.path()).mayHaveQuota(),
        bytes -> Shortage.takesBytes(home.path(), bytes),
        config,
        incidents,
        names,
        time);
  }

  /**
   * Looks at the room.
   *
   * @param quotas may it have less room than the file system names?
   * @param takes false if it surely doesn't take so many bytes now
   * @param names makes the names in the log directory durable
   */
  public HomeSpace(
      final Home home,
      final FileStore fileStore,
      final boolean quotas,
      final LongPredicate takes,
      final StoreConfig config,
      final Incidents incidents,
      final DirectoryForce names,
      final TimeSource time)
      throws IOException {
    this.home = home.path();
    id = home.id();
    this.incidents = incidents;
    this.config = config;
    this.time = time;
    this.fileStore = fileStore;
    this.quotas = quotas;
    this.takes = takes;
    copySteps = new CopySteps(time::nanos);
    watched = config.homeBallastBytes() > 0;
    ballast =
        new HomeBallast(
            home.path(), config.homeBallastBytes(), fileStore.getTotalSpace(), trend, names, time);
    refresh();
  }

  /**
   * Bytes that segments may still take; negative when the reserve is touched already. Asks the
   * disk, which may hang.
   */
  public long roomBytes() throws IOException {
    return lookForBytes() - reserveBytes;
  }

  /** The bytes that are free now. */
  private long lookForBytes() throws IOException {
    final long free;
    final boolean first = lookingSinceNanos.compareAndSet(0, time.nanos() | 1); // never 0
    try {
      sizeBytes = fileStore.getTotalSpace();
      final long named = fileStore.getUsableSpace();
      free = refused && !takes() ? 0 : refused ? Math.min(named, ENGINE_BYTES) : named;
    } finally {
      if (first) {
        lookingSinceNanos.set(0);
      }
    }
    freeBytes = free;
    trend.looked(free, time.nanos());
    reserveBytes = config.homeReserve().bytes(sizeBytes);
    scarce = free < SCARCE_BYTES && watched();
    return free;
  }

  private synchronized boolean takes() {
    if (time.nanos() - takenNanos >= HomeBallast.LOOK_NANOS_MIN) { // a Btrfs takes long to refuse
      taken = takes.test(2 * ENGINE_BYTES);
      takenNanos = time.nanos();
    }
    return taken;
  }

  /**
   * A write at home found no room: moves there pause from now on, and a step of the ballast goes
   * back.
   */
  public synchronized void refuse() throws IOException {
    refusedNanos = time.nanos();
    if (!refused) {
      refused = true;
      takenNanos = refusedNanos - HomeBallast.LOOK_NANOS_MIN;
      scarce = watched();
      ballast.giveBack();
    }
  }

  /**
   * Makes sure that home has room for the engine's indexes beside what is about to be written
   * there.
   *
   * @return false: moves home pause
   */
  public boolean spend(final long bytes) throws IOException {
    if (quotas && unprovenBytes.addAndGet(bytes) > PROVEN_BYTES - ENGINE_BYTES) {
      prove(bytes);
    }
    return !refused;
  }

  private synchronized void prove(final long bytes) throws IOException {
    if (quotas && watched() && !refused && freeBytes >= SCARCE_BYTES) {
      unprovenBytes.set(0);
      if (!takes.test(PROVEN_BYTES + bytes)) {
        refuse();
      }
    }
  }

  /** True if there is to be a ballast: else nothing waits for room. */
  public boolean watched() {
    return watched;
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

  /** The reserve in words; of a share how much that is here. */
  private String reserve() {
    final String size = ByteSize.text(reserveBytes);
    return config.homeReserve().percent() ? config.homeReserve() + ", which is " + size : size;
  }

  /** What to say where something doesn't go there for want of room. */
  public String wanting() {
    return home
        + " has too little free"
        + (reserveBytes == 0 ? "" : " beyond headpond.home.reserve, " + reserve());
  }

  /** As it was looked at last. */
  public StoreFacts.Home facts() {
    return new StoreFacts.Home(
        id, home, freeBytes, reserveBytes, low, ballast.heldBytes(), ballast.wantedBytes());
  }

  /** The size of copies to it, by what its disk takes at once. */
  public CopySteps copySteps() {
    return copySteps;
  }

  /** The log directory. */
  public Path path() {
    return home;
  }

  /** True if the reserve was touched when it was looked at last. */
  public boolean low() {
    return low;
  }

  /**
   * Looks again, and says so when it changed.
   *
   * @return is the reserve touched now and wasn't, or the other way round?
   */
  public boolean refresh() {
    try {
      final long room = roomBytes();
      unreadable = false;
      lookBehindSize();
      final boolean now = refused || room <= 0;
      if (now && !low) {
        PlaceCodes.HOME_LOW.log(home, freeBytes, reserve());
        incidents.count(Incident.HOME_LOW);
      } else if (!now && low) {
        Events.LOG.info("{}: has room again", home);
      }
      final boolean changed = now != low;
      low = now;
      giveBackIfSpent(freeBytes);
      ballast.takeBack(refused ? fileStore.getUsableSpace() - reserveBytes : room);
      return changed;
    } catch (final IOException e) {
      if (!unreadable) { // the clock asks once a second
        PlaceCodes.PLACE_REFUSED.log(
            home, "reading its free space", "its last answer still counts", e);
      }
      unreadable = true;
      return false;
    }
  }

  /** Looks whether a quota has begun to matter, or matters no more. */
  private void lookBehindSize() throws IOException {
    if (refused) {
      refused =
          freeBytes == 0
              || ballast.heldBytes() < ballast.wantedBytes()
              || time.nanos() - refusedNanos < HomeBallast.REST_NANOS;
    } else {
      prove(0);
    }
  }

  /**
   * Waits for the time of the next look, if that is before the clock's.
   *
   * @return false: the clock looks soon enough
   */
  public boolean awaitNextLook() {
    final long nanos = HomeBallast.nextLookNanos(freeBytes);
    if (nanos >= LOOK_NANOS_MAX || unreadable || closed || !watched()) {
      return false;
    }
    LockSupport.parkNanos(nanos);
    return !closed;
  }

  /** Nothing waits here any more. */
  void close() {
    closed = true;
  }

  /**
   * Waits until home has room for what the engine writes there beside an append, and nobody takes
   * it at once; asks the disk only while there is little.
   *
   * @param bytes of the append, if it goes home
   * @throws IOException if there is none, and no ballast left
   */
  public void awaitRoom(final long bytes) throws IOException {
    if (bytes > 0) {
      spend(bytes);
    }
    awaitRoom();
  }

  /** The same for what is written elsewhere, or is small. */
  public void awaitRoom() throws IOException {
    if (!scarce) {
      return;
    }
    final long begun = time.nanos();
    for (int looks = 0; looks < LOOKS_MAX && time.nanos() - begun < LOOKING_NANOS_MAX; looks++) {
      final long free = lookForBytes();
      giveBackIfSpent(free);
      final boolean waited = looks >= LASTING_LOOKS_MAX && free >= ENGINE_BYTES;
      if (trend.lasts(free, ENGINE_BYTES) || waited || Thread.currentThread().isInterrupted()) {
        return; // who is interrupted fails at the append itself
      }
      time.pause(this, HomeBallast.LOOK_NANOS_MIN);
    }
    throw new IOException(PlaceCodes.HOME_SPENT.text(home, freeBytes));
  }

  /** The same for what is written seldom: asks the disk in any case. */
  public void awaitRoomNow() throws IOException {
    if (watched()) {
      lookForBytes();
      awaitRoom();
    }
  }

  private void giveBackIfSpent(final long free) throws IOException {
    if (ballast.giveBackIfShort(free, ENGINE_BYTES)) {
      lookForBytes();
      trend.madeRoom();
    }
  }

  /**
   * The bytes that were given back since the last call, said to the operator.
   *
   * @param bytesAtHome of the log directory's segments that lie there
   */
  public void report(final LongSupplier bytesAtHome) {
    final long given = ballast.takeUnreported();
    if (given == 0) {
      return;
    }
    final long segmentBytes = bytesAtHome.getAsLong();
    final long ballastBytes = ballast.heldBytes();
    final long others = sizeBytes - freeBytes - segmentBytes - ballastBytes;
    final String use =
        "of its "
            + ByteSize.text(sizeBytes)
            + ", segments that lie there take "
            + ByteSize.text(segmentBytes)
            + ", and everything else "
            + ByteSize.text(others);
    PlaceCodes.HOME_FULL.log(home, given, ballastBytes, use);
    incidents.count(Incident.HOME_FULL);
  }
}
