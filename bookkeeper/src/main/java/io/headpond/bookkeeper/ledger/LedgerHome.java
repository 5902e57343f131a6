// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieBackground;
import io.headpond.bookkeeper.BookieCodes;
import io.headpond.store.event.ByteSize;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.home.HomeBallast;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.bookie.LedgerDirsManager.NoWritableLedgerDirException;

/**
 * The room on one ledger directory's own disk, where BookKeeper's index lies and its checkpoints
 * leave their marks. Any thread.
 *
 * <p>Design note: BookKeeper calls a bookie's disk full by {@code diskUsageThreshold}, because
 * entry logs need it. While the fast device takes these, the index alone grows at home, by some 80
 * bytes for each entry, and a {@link HomeBallast} gives it room when others have filled the disk.
 * RocksDB doesn't survive a write that finds none. So each flush first makes sure that there is
 * room for what it adds to the index, and is refused otherwise, before anything is written.
 */
final class LedgerHome implements AutoCloseable {
  /**
   * What the index takes of an entry until it is merged: key and value in RocksDB's log, and again
   * in a table.
   */
  private static final long INDEX_BYTES_PER_ENTRY = 96;

  /** Room for RocksDB's own notes, marks and names. */
  private static final long NOTES_BYTES = 1 << 20;

  /** RocksDB allocates so much for the manifest of each of its databases when it opens it. */
  private static final long MANIFEST_BYTES = 4 << 20;

  private static final List<String> DATABASES = List.of(PlaceCheck.LOCATIONS, "ledgers");

  /** Least room that is kept while there is ballast, if a step of it is smaller. */
  private static final long KEPT_BYTES_MIN = NOTES_BYTES;

  /** Of the ballast so many parts are for what is written after the bookie has become read-only. */
  private static final int LAST_PART = 4;

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** So often a flush looks for room until it is refused. */
  private static final int LOOKS_MAX = 250;

  private final Path directory;
  private final Path index;
  private final FileStore fileStore;
  private final HomeBallast ballast;

  /** BookKeeper's {@code diskUsageThreshold}. */
  private final float limit;

  private volatile long sizeBytes;
  private volatile long freeBytes;

  /** Has the ballast come to its last part, and nobody made room since? */
  private volatile boolean spent;

  /** Did the last flush find no room? */
  private volatile boolean refused;

  private volatile boolean unreadable;
  private volatile boolean stopped;
  private BooleanSupplier fastHasRoom = () -> false;
  private LongSupplier bytesOfLogs = () -> 0;
  private Runnable looked = () -> {};
  private Thread thread;

  /**
   * Gives ballast back at once if there isn't room for the index to be opened.
   *
   * @param directory the ledger directory
   * @param index BookKeeper's folder of its index
   * @param ballastBytes configured; 0: BookKeeper's own rule alone holds
   * @param limit BookKeeper's {@code diskUsageThreshold}
   */
  LedgerHome(final Path directory, final Path index, final long ballastBytes, final float limit)
      throws IOException {
    this.directory = directory;
    this.index = index;
    this.limit = limit;
    fileStore = Files.getFileStore(directory);
    final boolean together = fileStore.equals(Files.getFileStore(index));
    ballast = new HomeBallast(directory, together ? ballastBytes : 0, fileStore.getTotalSpace());
    look();
    awaitRoom(replayedBytes());
  }

  /** Bytes that RocksDB takes when it is opened: it writes what it replays to tables. */
  private long replayedBytes() throws IOException {
    long bytes = NOTES_BYTES + DATABASES.size() * MANIFEST_BYTES;
    for (final String part : DATABASES) {
      try (DirectoryStream<Path> logs =
          Files.newDirectoryStream(index.resolve(part), "[0-9]*.log")) {
        for (final Path log : logs) {
          bytes += Files.size(log);
        }
      } catch (final NoSuchFileException neverOpened) {
        continue;
      }
    }
    return bytes;
  }

  /**
   * Makes the entry logs known.
   *
   * @param hasRoom does the fast device have room for a new one?
   * @param bytesHere of those that lie in the ledger directory
   */
  void logs(final BooleanSupplier hasRoom, final LongSupplier bytesHere) {
    fastHasRoom = hasRoom;
    bytesOfLogs = bytesHere;
  }

  /**
   * Begins to watch the disk.
   *
   * @param afterLook is run after each look
   */
  void start(final Runnable afterLook) {
    looked = afterLook;
    thread = BookieBackground.THREADS.loop("headpond-ledger-home", this::next);
    thread.start();
  }

  private boolean next() {
    if (stopped) {
      return false;
    }
    try {
      refresh();
      unreadable = false;
    } catch (final IOException e) {
      if (!unreadable) {
        unreadable = true;
        PlaceCodes.PLACE_REFUSED.log(
            directory, "reading its free space", "its last answer still counts", e);
      }
    }
    final long nanos = unreadable ? LOOK_NANOS : HomeBallast.nextLookNanos(freeBytes);
    LockSupport.parkNanos(this, Math.min(nanos, LOOK_NANOS));
    return true;
  }

  /** Looks at the disk, and does what it calls for. */
  void refresh() throws IOException {
    look();
    if (ballast.giveBackIfShort(freeBytes, keptBytes())) {
      look();
    }
    ballast.takeBack(freeBytes);
    judge();
    looked.run();
    report();
  }

  private void look() throws IOException {
    sizeBytes = fileStore.getTotalSpace();
    freeBytes = fileStore.getUsableSpace();
  }

  /** Room that is left until BookKeeper calls the disk full. */
  private long belowLimitBytes() {
    return freeBytes - (long) ((1 - limit) * sizeBytes);
  }

  /** A step: what the index is merged in goes on needs more room than a flush alone. */
  long keptBytes() {
    return Math.max(KEPT_BYTES_MIN, ballast.wantedBytes() / LAST_PART / 2);
  }

  private void judge() {
    final long wanted = ballast.wantedBytes();
    if (comfortable() || wanted > 0 && ballast.heldBytes() == wanted) {
      spent = false;
      refused = false;
    } else if (ballast.heldBytes() <= wanted / LAST_PART && freeBytes < wanted && !spent) {
      spent = true;
      BookieCodes.HOME_SPENT.log(directory, freeBytes, ballast.heldBytes());
    }
  }

  private void report() {
    final long given = ballast.takeUnreported();
    if (given > 0) {
      final long logs = bytesOfLogs.getAsLong();
      final long others = sizeBytes - freeBytes - logs - ballast.heldBytes();
      final String use =
          "of its "
              + ByteSize.text(sizeBytes)
              + ", entry logs that lie there take "
              + ByteSize.text(logs)
              + ", and everything else "
              + ByteSize.text(others);
      PlaceCodes.HOME_FULL.log(directory, given, ballast.heldBytes(), use);
    }
  }

  /** True if BookKeeper itself doesn't call the disk full. */
  boolean comfortable() {
    return belowLimitBytes() >= 0;
  }

  /** True if a new entry log there must ask for its room. */
  boolean scarce() {
    return !comfortable() || freeBytes < ballast.wantedBytes();
  }

  /** True if the bookie may go on though the disk is full: the index has room, and so have logs. */
  boolean bearsFull() {
    return ballast.wantedBytes() > 0 && !spent && !refused && fastHasRoom.getAsBoolean();
  }

  /**
   * Makes sure, before a flush, that the index has room for its entries; waits for a program that
   * fills the disk to meet its end.
   */
  void awaitFlush(final long entries) {
    try {
      refused = !awaitRoom(NOTES_BYTES + entries * INDEX_BYTES_PER_ENTRY);
    } catch (final IOException e) {
      refused = false; // the flush itself will tell
    }
  }

  /**
   * Makes sure that there is room for what RocksDB writes beside entries; false if there is none.
   */
  boolean awaitNotes() {
    try {
      return awaitRoom(NOTES_BYTES);
    } catch (final IOException e) {
      return false; // the flush itself will tell
    }
  }

  private boolean awaitRoom(final long bytes) throws IOException {
    look();
    for (int looks = 0; freeBytes < bytes && looks < LOOKS_MAX; looks++) {
      if (!ballast.giveBackIfShort(freeBytes, bytes)) {
        if (ballast.heldBytes() == 0) {
          return false;
        }
        LockSupport.parkNanos(HomeBallast.LOOK_NANOS_MIN);
      }
      look();
    }
    return freeBytes >= bytes;
  }

  /** True if the last flush found no room for the index, and must not write anything. */
  boolean refused() {
    return refused;
  }

  /** The exception to throw then. */
  NoWritableLedgerDirException refusal() {
    return new NoWritableLedgerDirException(
        BookieCodes.HOME_SPENT.text(directory, freeBytes, ballastBytes()));
  }

  /** Bytes that are free, as they were looked at last. */
  long freeBytes() {
    return freeBytes;
  }

  /** Bytes that the ballast has. */
  long ballastBytes() {
    return ballast.heldBytes();
  }

  /** True if the ballast has come to its last part. */
  boolean spent() {
    return spent || refused;
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread); // null is none
  }
}
