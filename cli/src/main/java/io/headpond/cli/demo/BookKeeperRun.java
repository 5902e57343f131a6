// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The BookKeeper demo itself: the turns of two bookies, and everything compared. */
final class BookKeeperRun implements JournalRun<BookKeeperResult> {

  private static final long RATE_MAX_BYTES = 160L << 20;

  private final DemoPlace place;
  private final EngineRelease release;
  private final Duration duration;
  private final ZooKeeperNode zooKeeper;
  private final BookKeeperSide disk;
  private final BookKeeperSide fast;
  private final JournalView<BookKeeperSide> view;
  private final JournalTurns<BookKeeperSide> turns;

  /**
   * @param duration of the turns of both sides together
   */
  BookKeeperRun(DemoPlace place, LiveBlock screen, EngineRelease release, Duration duration)
      throws IOException {
    this.place = place;
    this.release = release;
    this.duration = duration;
    Path home = place.home();
    this.zooKeeper = new ZooKeeperNode(release, JavaHome.current(), home.resolve("zookeeper"));
    this.disk =
        new BookKeeperSide(
            release, zooKeeper, "disk", home, home.resolve("disk/journal"), Optional.empty());
    this.fast =
        new BookKeeperSide(
            release,
            zooKeeper,
            "fast",
            home,
            place.fast().resolve("journal"),
            Optional.of(JournalPlugIn.find()));
    this.view = new JournalView<>(screen, place, new BookKeeperColumns());
    this.turns = new JournalTurns<>(view, disk, fast);
  }

  @Override
  public BookKeeperResult run() throws IOException, InterruptedException {
    return turns.run(this::script);
  }

  private BookKeeperResult script() throws IOException, InterruptedException {
    view.say("Starting ZooKeeper and two bookies of BookKeeper " + release.version() + " ...");
    zooKeeper.start();
    disk.start(rate());
    fast.start(rate());
    turns.watch();
    turns.take(duration, BookKeeperJournals.WORDS);
    view.phase("comparing every acknowledged entry");
    ContentReport report = disk.verify().plus(fast.verify());
    report.examples().forEach(view::say);
    return result(report);
  }

  /** Bytes per second that home has room for. */
  private long rate() throws IOException {
    long free = Files.getFileStore(place.home()).getUsableSpace();
    double seconds = 1.5 * duration.toMillis() / 1000.0;
    return Math.min(RATE_MAX_BYTES, (long) (0.8 * free / seconds));
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
        fast.seen().outage().length().toMillis(),
        place.fastIsVolatile(),
        fast.journalBytes(),
        JournalFigures.of(fast.seen(), disk.seen()));
  }

  @Override
  public void close() throws IOException {
    turns.close();
    zooKeeper.close();
  }
}
