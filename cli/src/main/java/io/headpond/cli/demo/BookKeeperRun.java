// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.bookkeeper.JournalPlugIn;
import io.headpond.bench.bookkeeper.ZooKeeperNode;
import io.headpond.bench.load.ContentReport;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The BookKeeper demo itself: two bookies that take turns under the same load, a kill and a restart
 * in the middle of a turn of the one with the fast journal, everything compared.
 */
final class BookKeeperRun implements AutoCloseable {

  private static final long INTERVAL_MS = 250;
  private static final Duration TURN = Duration.ofMillis(2500);
  private static final long RATE_MAX_BYTES = 160L << 20;

  private final DemoPlace place;
  private final BookKeeperView view;
  private final EngineRelease release;
  private final Duration duration;
  private final ZooKeeperNode zooKeeper;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "demo-view");
            thread.setDaemon(true);
            return thread;
          });
  private volatile BookKeeperSide disk;
  private volatile BookKeeperSide fast;
  private volatile BookKeeperSide turn;
  private volatile boolean closed;

  /**
   * @param duration of the turns of both sides together
   */
  BookKeeperRun(DemoPlace place, BookKeeperView view, EngineRelease release, Duration duration)
      throws IOException {
    this.place = place;
    this.view = view;
    this.release = release;
    this.duration = duration;
    this.zooKeeper =
        new ZooKeeperNode(release, JavaHome.current(), place.home().resolve("zookeeper"));
  }

  /** Runs it; Ctrl-C ends the JVM, whose hooks clean up. */
  BookKeeperResult run() throws IOException, InterruptedException {
    try {
      view.say("Starting ZooKeeper and two bookies of BookKeeper " + release.version() + " ...");
      start();
      timer.scheduleAtFixedRate(this::look, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
      turns();
      view.phase("comparing every acknowledged entry");
      ContentReport report = disk.verify().plus(fast.verify());
      report.examples().forEach(view::say);
      timer.shutdownNow();
      view.show(disk, fast);
      return result(report);
    } catch (IOException e) {
      if (closed) {
        // Ctrl-C: the JVM's hook ends everything, and the JVM ends when that has cleaned up.
        new CountDownLatch(1).await();
      }
      BookKeeperSide failed = turn;
      if (failed != null) {
        view.say(failed.tail());
      }
      throw e;
    }
  }

  private void start() throws IOException, InterruptedException {
    zooKeeper.start();
    Path home = place.home();
    disk =
        new BookKeeperSide(
            release,
            zooKeeper,
            "disk",
            home,
            home.resolve("disk").resolve("journal"),
            Optional.empty(),
            rate());
    fast =
        new BookKeeperSide(
            release,
            zooKeeper,
            "fast",
            home,
            place.fast().resolve("journal"),
            Optional.of(JournalPlugIn.find()),
            rate());
    disk.startBookie();
    fast.startBookie();
  }

  /** Bytes per second that home has room for. */
  private long rate() throws IOException {
    long free = Files.getFileStore(place.home()).getUsableSpace();
    double seconds = 1.5 * duration.toMillis() / 1000.0;
    return Math.min(RATE_MAX_BYTES, (long) (0.8 * free / seconds));
  }

  private void turns() throws IOException, InterruptedException {
    int pairs = (int) Math.max(2, duration.toMillis() / (2 * TURN.toMillis()));
    Duration length = duration.dividedBy(2L * pairs);
    turn(disk, "warming up, journal on disk", false, length);
    turn(fast, "warming up, journal on the fast device", false, length);
    for (int pair = 1; pair <= pairs; pair++) {
      String which = " " + pair + " of " + pairs + ": journal on ";
      turn(disk, "turn" + which + "disk", true, length);
      turn(fast, "turn" + which + "the fast device", true, length);
      if (pair == (pairs + 1) / 2) {
        killAndRestart(length);
      }
    }
  }

  private void turn(BookKeeperSide side, String phase, boolean counted, Duration length)
      throws IOException, InterruptedException {
    view.phase(phase);
    side.begin(counted);
    turn = side;
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
    side.end();
    turn = null;
  }

  private void killAndRestart(Duration length) throws IOException, InterruptedException {
    view.phase("a turn with a kill: journal on the fast device");
    fast.begin(false);
    turn = fast;
    TimeUnit.NANOSECONDS.sleep(length.toNanos() / 2);
    long pid = fast.kill();
    view.say(
        "Killed the bookie with the fast journal (SIGKILL, process "
            + pid
            + "); starting it again ...");
    view.phase("bookie killed; it starts again and replays its journal");
    fast.startBookie();
    view.phase("the bookie is back");
    while (fast.outage().isZero()) {
      fast.look();
      TimeUnit.MILLISECONDS.sleep(10);
    }
    TimeUnit.NANOSECONDS.sleep(length.toNanos() / 2);
    fast.end();
    turn = null;
  }

  private void look() {
    try {
      BookKeeperSide side = turn;
      if (side != null) {
        side.look();
      }
      view.show(disk, fast);
    } catch (IOException e) {
      // The thread that runs the demo meets it too.
      turn = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private BookKeeperResult result(ContentReport report) throws IOException {
    return new BookKeeperResult(
        "bookkeeper",
        release.version(),
        JavaHome.current().feature(),
        true,
        report.acknowledged(),
        report.verified(),
        report.lost(),
        report.corrupt(),
        1,
        fast.outage().toMillis(),
        place.fastIsVolatile(),
        fast.journalBytes(),
        fast.seconds(),
        fast.mbPerS(),
        fast.latencyMs(50),
        fast.latencyMs(99),
        fast.overRestartMaxMs(),
        disk.seconds(),
        disk.mbPerS(),
        disk.latencyMs(50),
        disk.latencyMs(99));
  }

  /** Kills what lives, and waits until it is gone. */
  @Override
  public void close() throws IOException {
    closed = true;
    timer.shutdownNow();
    for (BookKeeperSide side : new BookKeeperSide[] {disk, fast}) {
      if (side != null) {
        side.close();
      }
    }
    zooKeeper.close();
  }
}
