// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.store.event.PlainText;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.UnclearNameException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The planned moves of a log directory's segments while its engine doesn't run. The caller holds
 * all locks. One thread, but for {@link #interrupt}.
 *
 * <p>Each segment is moved by itself and completely, so the log directory is right at every instant
 * and a run that was ended goes on where it stopped.
 */
final class OfflineMoves {
  /** The time that an ending process waits until its unfinished copy is removed. */
  private static final long INTERRUPT_SECONDS_MAX = 10;

  /** Of a home's directory in a tier, and that of its files in it. */
  private static final int REMOVED_LEVELS_MAX = 2;

  private final Path logDir;
  private final UUID home;
  private final String verb;
  private final String noun;
  private final Progress progress;
  private final List<Item> items = new ArrayList<>();

  /** Those that their device doesn't read. */
  private final List<LogDirScan.Entry> unread = new ArrayList<>();

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean running;
  private volatile boolean interrupted;
  private long bytesTotal;
  private long bytesDone;
  private long segmentsDone;
  private long startedNanos;

  private record Item(LogDirScan.Entry segment, Optional<TierRef> to) {}

  private static final class InterruptedMove extends IOException {
    private static final long serialVersionUID = 1L;

    InterruptedMove() {
      super("interrupted");
    }
  }

  /**
   * Nothing planned yet.
   *
   * @param home identifies the log directory
   * @param verb what the progress line calls it
   * @param noun what one of them is called
   */
  OfflineMoves(Path logDir, UUID home, String verb, String noun, Progress progress) {
    this.logDir = logDir;
    this.home = home;
    this.verb = verb;
    this.noun = noun;
    this.progress = progress;
  }

  /**
   * Plans a move.
   *
   * @param to the tier directory; empty: home
   */
  void add(LogDirScan.Entry segment, Optional<TierRef> to) {
    items.add(new Item(segment, to));
    bytesTotal += segment.bytes();
  }

  /**
   * Refuses moves home that find no room there.
   *
   * @param free bytes at home
   */
  void requireRoom(long free, String remedy) {
    if (bytesTotal > free) {
      throw new CommandFailure(
          logDir
              + " has "
              + Units.bytes(free)
              + " free, but "
              + Units.bytes(bytesTotal)
              + " have to come home",
          remedy);
    }
  }

  /**
   * Refuses to move a file that has a second name, which would lead nowhere then: a copy of a
   * partition directory has copies of its links.
   *
   * @throws CommandFailure if one has; nothing was changed
   */
  void refuseShared() throws IOException {
    Map<Path, Path> planned = new HashMap<>();
    for (Item item : items) {
      if (item.segment().linked()) {
        planned.put(item.segment().target().toRealPath(), item.segment().name());
      }
    }
    LogDirScan.scan(
        logDir,
        segment -> {
          boolean there = segment.linked() && !segment.dangling();
          Path name = there ? planned.get(segment.target().toRealPath()) : null;
          if (name != null && !name.equals(segment.name())) {
            throw new CommandFailure(
                name + " and " + segment.name() + " link to the same file " + segment.target(),
                "replace the link that is a copy by a copy of the file (nothing was changed)");
          }
        });
  }

  /**
   * Performs the moves in their planned order. Ctrl-C ends it between two pieces of a copy: the
   * segment stays where it was, and nothing of the copy is left. So does one that can't be read,
   * which keeps no other from moving.
   *
   * @param err where an interrupt is explained, and each that can't be read
   * @throws CommandFailure if there were some
   */
  void run(PrintWriter err) throws IOException {
    runReadable(err);
    refuseUnread(List.of(this));
  }

  /** As {@link #run}, where other directories follow: {@link #refuseUnread} comes at their end. */
  void runReadable(PrintWriter err) throws IOException {
    startedNanos = System.nanoTime();
    running = true;
    Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(err), "headpond-interrupted"));
    try {
      for (Path file : LogDirScan.unfinishedMoves(logDir)) {
        Files.delete(file);
      }
      for (Item item : items) {
        show();
        move(item, err);
      }
    } catch (InterruptedMove e) {
      ended.countDown();
      waitForTheEnd();
    } finally {
      running = false;
      ended.countDown();
    }
  }

  /** The process is ending, and its hook says all there is to say. */
  private static void waitForTheEnd() {
    while (true) {
      LockSupport.park();
    }
  }

  private void interrupt(PrintWriter err) {
    if (!running) {
      return;
    }
    interrupted = true;
    try {
      ended.await(INTERRUPT_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    err.println();
    err.println("headpond: interrupted; the directory is right as it is, run this again to go on");
    err.flush();
  }

  /** True if its directory still has some that can't be read. */
  boolean leftUnread() {
    return !unread.isEmpty();
  }

  /**
   * Ends what {@link #runReadable} began.
   *
   * @throws CommandFailure if some of any directory can't be read
   */
  static void refuseUnread(List<OfflineMoves> all) {
    List<LogDirScan.Entry> unread = all.stream().flatMap(each -> each.unread.stream()).toList();
    if (unread.isEmpty()) {
      return;
    }
    boolean inTiers = unread.stream().allMatch(LogDirScan.Entry::linked);
    throw new CommandFailure(
        Units.count(unread.size(), all.get(0).noun) + " can't be read, as " + unread.get(0).name(),
        "the other "
            + all.stream().mapToLong(each -> each.segmentsDone).sum()
            + " are there; "
            + (inTiers
                ? KnownTiers.MOUNT_AGAIN
                    + " and run this again; if they still can't be read, leave it unmounted: headpond"
                    + " recover FILE --tier NAME goes on without them"
                : "look at dmesg, and run this again if the device works again"));
  }

  private void move(Item item, PrintWriter err) throws IOException {
    LogDirScan.Entry segment = item.segment();
    try {
      if (item.to().isEmpty()) {
        SegmentMove.home(segment.name(), segment.target(), segment.bytes(), this::copied);
      } else {
        Path target = item.to().get().newFile(home, segment.name());
        SegmentMove.tier(segment.name(), segment.file(), target, segment.bytes(), this::copied);
      }
    } catch (InterruptedMove e) {
      throw e;
    } catch (IOException e) {
      if (!(e instanceof UnclearNameException) && unreadable(segment.file())) {
        unread.add(segment);
        progress.clear();
        err.println("headpond: " + segment.name() + " can't be read: " + PlainText.reason(e));
        return;
      }
      String to = item.to().map(tier -> "moved to tier " + tier.tier()).orElse("brought home");
      throw new CommandFailure(
          segment.name() + " can't be " + to + ": " + PlainText.reason(e),
          Units.count(segmentsDone, noun) + " are there; remedy it and run this again",
          e);
    }
    if (segment.linked()) {
      // The log directory was forced by the move: nothing resolves to this file any more.
      drop(segment.target());
    }
    segmentsDone++;
  }

  /** True after an error of its device, not for want of a right or of the file. */
  private static boolean unreadable(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      in.transferTo(OutputStream.nullOutputStream());
      return false;
    } catch (IOException e) {
      return e.getClass() == IOException.class || e.getClass() == FileSystemException.class;
    }
  }

  /** A read-only device keeps it. */
  private static void drop(Path source) throws IOException {
    try {
      Files.delete(source);
    } catch (FileSystemException e) {
      if (e.getClass() != FileSystemException.class) {
        throw e; // no right to
      }
    }
  }

  /**
   * Forces the removal of files, or of their directory, before the identity goes. A file that a
   * power cut brought back later would belong to nobody and take room in the tier for good.
   */
  static void forceRemovals(Path directory) throws IOException {
    Path there = directory;
    for (int i = 0; i < REMOVED_LEVELS_MAX && !Files.isDirectory(there); i++) {
      there = there.getParent();
    }
    if (Files.isDirectory(there)) {
      DirectoryForce.forceNow(there);
    }
  }

  private void copied(long bytes) throws IOException {
    if (interrupted) {
      throw new InterruptedMove();
    }
    bytesDone += bytes;
    show();
  }

  private void show() {
    progress.show(
        String.format(
            "%s: %s %,d of %,d, %s of %s, %s",
            verb,
            noun,
            segmentsDone + unread.size() + 1,
            items.size(),
            Units.bytes(bytesDone),
            Units.bytes(bytesTotal),
            Units.bytesPerSecond(bytesDone, time())));
  }

  long bytesTotal() {
    return bytesTotal;
  }

  long bytesDone() {
    return bytesDone;
  }

  long segmentsDone() {
    return segmentsDone;
  }

  Duration time() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }
}
