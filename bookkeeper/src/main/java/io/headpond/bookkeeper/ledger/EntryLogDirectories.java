// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.store.event.PlaceCodes;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of one {@link TieredEntryLogger}: BookKeeper looks for logs in both, home first,
 * and creates them where {@link #getWritableLedgerDirsForNewLog} says: on the fast device while
 * there is room for a whole one.
 *
 * <p>BookKeeper can't give up a log in the middle: what it has buffered for one must be written
 * there. So the room is looked at before a log begins, a reserve is left alone, and a log that
 * meets the reserve (others write to the device too) is closed by {@link #rollIfShort}. Home's last
 * bytes are the index's: compactions and moves end there, too.
 */
final class EntryLogDirectories extends LedgerDirsManager {
  /** Left alone on each device: more than is written between two looks at it. */
  static final long RESERVE_BYTES = 16 << 20;

  /** Written between two looks at a device. */
  static final long LOOK_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  private final LedgerDirsManager homeDirectories;
  private final EntryLogPlaces places;
  private final LedgerHome home;
  private final long logBytesMax;
  private final long homeFreeBytesMin;
  private final OptionalLong capacityBytes;
  private final ThreadLocal<Boolean> compaction = ThreadLocal.withInitial(() -> false);
  private final AtomicLong overflows = new AtomicLong();

  /** Did the last log go home for want of room? Said once, not for each log. */
  private volatile boolean full;

  /**
   * The directories of one logger.
   *
   * @param homeDirectories BookKeeper's own view of the one ledger directory
   * @param capacityBytes what logs may use of the fast device; empty: all of it
   */
  EntryLogDirectories(
      final ServerConfiguration conf,
      final LedgerDirsManager homeDirectories,
      final EntryLogPlaces places,
      final LedgerHome home,
      final OptionalLong capacityBytes)
      throws IOException {
    super(
        conf,
        new File[] {places.home().getParent().toFile(), places.fast().getParent().toFile()},
        homeDirectories.getDiskChecker());
    this.homeDirectories = homeDirectories;
    this.places = places;
    this.home = home;
    this.capacityBytes = capacityBytes;
    logBytesMax = conf.getEntryLogSizeLimit();
    homeFreeBytesMin = conf.getMinUsableSizeForEntryLogCreation();
  }

  /** Something that creates a log. */
  @FunctionalInterface
  interface Creation<T> {
    T create() throws IOException;
  }

  /**
   * Creates a log at home: the output of a compaction is old data, and the hard links by which
   * BookKeeper makes it known stay where a bookie without Headpond looks for them.
   */
  <T> T atHome(final Creation<T> creation) throws IOException {
    compaction.set(true);
    try {
      return creation.create();
    } finally {
      compaction.set(false);
    }
  }

  @Override
  public List<File> getWritableLedgerDirsForNewLog() throws NoWritableLedgerDirException {
    if (!compaction.get() && hasRoom()) {
      return new ArrayList<>(List.of(places.fast().toFile()));
    }
    return writableAtHome();
  }

  private List<File> writableAtHome() throws NoWritableLedgerDirException {
    if (homeIsShort() || home.scarce() && places.homeUsableBytes() <= homeFreeBytesMin) {
      // As BookKeeper's for a full disk; the view of a single directory isn't told that it is.
      throw new NoWritableLedgerDirException(
          places.home() + " is full, and " + places.fast() + " has no room for an entry log");
    }
    return new ArrayList<>(homeDirectories.getWritableLedgerDirsForNewLog());
  }

  /** Refuses a log that isn't created yet, if there is no room for one anywhere. */
  void requireRoom() throws NoWritableLedgerDirException {
    if (!fastHasRoom()) {
      writableAtHome();
    }
  }

  /** True if there is room for a new log somewhere. */
  boolean haveRoomForLog() {
    try {
      requireRoom();
      return true;
    } catch (final NoWritableLedgerDirException e) {
      return false;
    }
  }

  /** True if the fast device has room for a whole log; says nothing. */
  boolean fastHasRoom() {
    try {
      return fits();
    } catch (final IOException e) {
      return false; // said when a log is to be created
    }
  }

  private boolean fits() throws IOException {
    final long used = usedBytes(); // first: a directory that isn't there any more is no full one
    return places.fastUsableBytes() >= logBytesMax + RESERVE_BYTES
        && used + logBytesMax <= capacityBytes();
  }

  private boolean hasRoom() {
    try {
      final boolean room = fits();
      report(!room);
      return room;
    } catch (final IOException e) {
      PlaceCodes.PLACE_REFUSED.log(
          places.fast(), "reading its free space", "new entry logs go to " + places.home(), e);
      overflows.incrementAndGet();
      return false;
    }
  }

  private void report(final boolean nowFull) {
    if (nowFull) {
      overflows.incrementAndGet();
    }
    if (nowFull != full) {
      full = nowFull;
      if (nowFull) {
        BookieCodes.FAST_FULL.log(places.fast(), logBytesMax, places.home());
      } else {
        LOG.info("{}: has room again; new entry logs go there", places.fast());
      }
    }
  }

  /** Bytes of the fast device that logs may use; by default all of it less 2 %. */
  long capacityBytes() throws IOException {
    return capacityBytes.isPresent()
        ? capacityBytes.getAsLong()
        : (places.fastUsableBytes() + usedBytes()) / 100 * 98;
  }

  /** Bytes of the fast device that logs use. */
  long usedBytes() throws IOException {
    return places.fastLogs().stream().mapToLong(EntryLogPlaces.Log::bytes).sum();
  }

  /** BookKeeper's own view of the ledger directory. */
  LedgerDirsManager homeDirectories() {
    return homeDirectories;
  }

  /** Number of logs that were created at home for lack of room. */
  long overflows() {
    return overflows.get();
  }

  /** Closes the log in use if its device runs into its reserve; the next one goes elsewhere. */
  void rollIfShort(final boolean onFast) {
    if (onFast ? places.fastUsableBytes() < RESERVE_BYTES : homeIsShort()) {
      final File place = (onFast ? places.fast() : places.home()).toFile();
      getListeners().forEach(listener -> listener.diskFull(place));
    }
  }

  /** Bytes at home that are for the index alone: nothing else grows there with fewer. */
  long homeLastBytes() {
    return home.keptBytes() + RESERVE_BYTES;
  }

  /** True if home has come to its last bytes. */
  private boolean homeIsShort() {
    return places.homeUsableBytes() < homeLastBytes();
  }

  /** Refuses to write on at home if that has come to its last bytes. */
  void requireRoomAtHome() throws NoWritableLedgerDirException {
    if (homeIsShort()) {
      throw new NoWritableLedgerDirException(
          places.home()
              + " has less than the "
              + homeLastBytes()
              + " B left that its index needs; make room there");
    }
  }

  /** Registers a listener here and at home: BookKeeper watches the disk at home. */
  @Override
  public void addLedgerDirsListener(final LedgerDirsListener listener) {
    super.addLedgerDirsListener(listener);
    homeDirectories.addLedgerDirsListener(listener);
  }
}
