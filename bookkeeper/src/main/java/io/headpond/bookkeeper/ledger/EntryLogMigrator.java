// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieBackground;
import io.headpond.bookkeeper.ledger.EntryLogPlaces.Log;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.layout.CopySteps;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.migrate.Pace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Moves sealed entry logs from the fast device to their ledger directory, the oldest first, while
 * the fast directory's used share is above the threshold.
 *
 * <p>There is no queue: its one thread looks for the best move there is when a log has begun and
 * once a second. A sealed log never changes, so it is copied without a lock; only the replacement
 * of its name excludes BookKeeper's removal of the log.
 */
final class EntryLogMigrator implements AutoCloseable {

  /** Migration doesn't yield to the bookie's writes from this share of the capacity on. */
  private static final double URGENT = 0.9;

  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(10);

  /** Step that a move has just completed; tests examine the directories then. */
  enum Step {
    COPIED,
    PUBLISHED,
    DROPPED
  }

  private final TieredEntryLogger logger;
  private final EntryLogDirectories directories;
  private final EntryLogPlaces places;
  private final LedgerConfig config;
  private final Pace pace;

  /** The size of copies to the ledger directory, by what its disk takes at once. */
  private final CopySteps home = new CopySteps(System::nanoTime);

  /** BookKeeper's own minimum for a new log: migration leaves that much at home. */
  private final long homeFreeBytesMin;

  private final Consumer<Step> steps;
  private final Thread thread;
  private final AtomicLong movedLogs = new AtomicLong();
  private final AtomicLong movedBytes = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /** Moved logs whose old file is still open here; at most as many as the device had logs. */
  private final Set<Long> held = new TreeSet<>();

  /** Logs whose last move failed: the others come first. Of the migrating thread. */
  private final Set<Long> passedOver = new HashSet<>();

  private volatile boolean stopped;
  private volatile String blocked = "";

  /** Of the migrating thread. */
  private boolean urgent;

  EntryLogMigrator(
      final TieredEntryLogger logger,
      final EntryLogDirectories directories,
      final EntryLogPlaces places,
      final LedgerConfig config,
      final Pace pace,
      final long homeFreeBytesMin,
      final Consumer<Step> steps) {
    this.logger = logger;
    this.directories = directories;
    this.places = places;
    this.config = config;
    this.pace = pace;
    this.homeFreeBytesMin = homeFreeBytesMin;
    this.steps = steps;
    thread = BookieBackground.THREADS.loop("headpond-ledger-migrate", this::next);
  }

  void start() {
    thread.start();
  }

  /** Something happened that may call for a move. Never blocks. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Logs that were moved home since the start. */
  long movedLogs() {
    return movedLogs.get();
  }

  /** Their bytes. */
  long movedBytes() {
    return movedBytes.get();
  }

  /** Moves that failed, also those that succeeded when they were tried again. */
  long failures() {
    return failures.get();
  }

  /**
   * The reason why the fast directory isn't relieved though it is above its threshold; empty if it
   * is.
   */
  String blocked() {
    return blocked;
  }

  private boolean next() {
    try {
      letGo();
      if (!stopped && !moveOne()) {
        LockSupport.parkNanos(this, TICK_NANOS);
      }
    } catch (final Throwable e) {
      failed(e);
    }
    return !stopped;
  }

  /** Whatever it was, an Error too: it may pass, and nobody else would move anything. */
  private void failed(final Throwable cause) {
    if (stopped) {
      return;
    }
    failures.incrementAndGet();
    try {
      block("a move failed (" + cause + "); it is tried again", cause);
    } catch (final Throwable e) {
      blocked = "a move failed"; // there wasn't even memory to say why
    }
    LockSupport.parkNanos(this, RETRY_NANOS);
  }

  private void letGo() throws InterruptedException {
    for (final Long log : Set.copyOf(held)) {
      if (logger.letGo(log)) {
        held.remove(log);
      }
    }
  }

  /**
   * Moves the best candidate, if there is one.
   *
   * @return was there?
   * @throws IOException if it can't be moved; the log is where it was then, or home
   */
  boolean moveOne() throws IOException, InterruptedException {
    final long capacity = directories.capacityBytes();
    final long used = directories.usedBytes();
    if (config.threshold() < 0 || used <= config.threshold() * capacity) {
      blocked = "";
      return false;
    }
    urgent = used > URGENT * capacity;
    pace.urgent(urgent);
    final Set<Long> sealed = Set.copyOf(logger.getFlushedLogIds());
    final long least = Math.max(homeFreeBytesMin, directories.homeLastBytes());
    for (final Log log : places.fastLogs()) {
      if (!sealed.contains(log.id()) || passedOver.contains(log.id())) {
        continue;
      }
      if (places.homeUsableBytes() - log.bytes() < least) {
        block(
            "moving "
                + places.fastFile(log.id())
                + " would leave less than the "
                + least
                + " B of minUsableSizeForEntryLogCreation, or of the index; make room there",
            null);
        return false;
      }
      passedOver.add(log.id()); // unless it is moved
      move(log);
      passedOver.remove(log.id());
      if (passedOver.isEmpty()) {
        blocked = "";
      }
      return true;
    }
    passedOver.clear(); // every other one was moved: time to try these again
    return false;
  }

  private void move(final Log log) throws IOException, InterruptedException {
    if (places.leadsToFast(log.id())) {
      if (!copy(log)) {
        return;
      }
      movedLogs.incrementAndGet();
      movedBytes.addAndGet(log.bytes());
    }
    places.dropFastFile(log.id()); // alone, if an earlier attempt came to grief here
    steps.accept(Step.DROPPED);
    held.add(log.id());
    letGo();
  }

  /** Copies a log and makes the copy the log; false if BookKeeper removed it in the meantime. */
  private boolean copy(final Log log) throws IOException {
    final Path copy;
    pace.begin(System.nanoTime());
    try {
      copy =
          SegmentMove.copyHome(
              places.name(log.id()), places.fastFile(log.id()), log.bytes(), home, this::copied);
    } catch (final NoSuchFileException e) {
      if (places.leadsToFast(log.id())) {
        throw e;
      }
      return false;
    } finally {
      pace.end();
    }
    boolean published = false;
    try {
      steps.accept(Step.COPIED);
      published = places.publishHome(log.id(), copy);
    } finally {
      if (!published) {
        Files.deleteIfExists(copy);
      }
    }
    if (published) {
      steps.accept(Step.PUBLISHED);
    }
    return published;
  }

  private void copied(final long bytes) throws IOException {
    final long now = System.nanoTime();
    final long until = now + Math.max(pace.copied(bytes, now), home.share().waitNanos(urgent, now));
    long rest = until - System.nanoTime();
    while (rest > 0 && !stopped) {
      LockSupport.parkNanos(this, rest);
      rest = until - System.nanoTime();
    }
    if (stopped) {
      throw new IOException("the bookie stops");
    }
    directories.requireRoomAtHome();
  }

  private void block(final String reason, final Throwable cause) {
    if (!reason.equals(blocked)) {
      blocked = reason;
      BackgroundCodes.MIGRATION_BLOCKED.log(places + ": " + reason, cause);
    }
  }

  /** Ends an unfinished move; its log stays on the fast device. */
  @Override
  public void close() {
    stopped = true;
    wake();
    try {
      thread.join(CLOSE_MS);
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
