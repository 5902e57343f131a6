// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One of the two bookies that the demo compares: alone in its cluster, with its client and its
 * figures. One thread runs it, another one looks; this object guards what both need.
 */
final class BookKeeperSide implements JournalSide {

  private static final int WRITERS = 2;
  private static final int WINDOW = 8;
  private static final long LAST_ANSWERS_MILLIS = 50;
  private static final long LOOK_MILLIS = 10;

  private final EngineRelease release;
  private final String metadataUri;
  private final Path folder;
  private final Path journal;
  private final BookieNode bookie;
  private final SideFigures seen = new SideFigures();
  private volatile LedgerLoad load;
  private volatile boolean running;
  private long acknowledged;

  /**
   * Nothing is started yet.
   *
   * @param name of its cluster, and of its folder at home
   * @param journal its {@code journalDirectories}
   * @param headpond the plug-in, if the journal is Headpond's
   */
  BookKeeperSide(
      EngineRelease release,
      ZooKeeperNode zooKeeper,
      String name,
      Path home,
      Path journal,
      Optional<JournalPlugIn> headpond)
      throws IOException {
    this.release = release;
    this.journal = journal;
    this.folder = Files.createDirectories(home.resolve(name));
    String root = "/" + name;
    this.metadataUri = zooKeeper.metadataUri(root);
    this.bookie =
        new BookieNode(
            release,
            "the bookie " + name,
            folder.resolve("bookie"),
            zooKeeper,
            root,
            List.of(journal),
            List.of(folder.resolve("ledgers")));
    // The same on both sides. Small journals: so that they roll, and fit into a small device.
    bookie
        .set("journalMaxSizeMB", "64")
        .set("journalReuseFiles", "true")
        .set("journalMaxBackups", "5")
        .set("flushInterval", "2000")
        .set("diskUsageThreshold", "0.99");
    headpond.ifPresent(bookie::with);
  }

  /**
   * Makes the cluster in ZooKeeper, and starts the client and the bookie.
   *
   * @param rate limit, bytes per second
   */
  void start(long rate) throws IOException, InterruptedException {
    bookie.initNewCluster();
    load =
        new LedgerLoad(
            release,
            JavaHome.current(),
            folder.resolve("client"),
            LedgerLoadSettings.of(metadataUri, System.nanoTime())
                .writers(WRITERS, WINDOW)
                .entriesPerLedger(50_000)
                .bytesPerSecond(rate));
    bookie.start();
  }

  @Override
  public synchronized void begin(boolean counted) throws IOException, InterruptedException {
    load.start();
    running = true;
    look();
    seen.begin(counted);
  }

  @Override
  public synchronized void end() throws IOException, InterruptedException {
    // Answers while the writers end don't count: less and less is under way then.
    look();
    seen.endRate();
    load.stop();
    look();
    seen.end();
    running = false;
  }

  @Override
  public synchronized long kill() throws IOException, InterruptedException {
    long pid = bookie.server().pid();
    look();
    seen.outage().begin();
    bookie.kill();
    // Answers from before its death may still be on their way to the client.
    long before;
    do {
      before = acknowledged;
      TimeUnit.MILLISECONDS.sleep(LAST_ANSWERS_MILLIS);
      look();
    } while (acknowledged > before);
    seen.outage().acknowledgedBefore(before);
    return pid;
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    bookie.start();
  }

  @Override
  public void awaitAcknowledging() throws IOException, InterruptedException {
    while (seen.outage().length().isZero()) {
      look();
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Reads everything back and compares; its turns must be over. */
  ContentReport verify() throws IOException, InterruptedException {
    return load.verify();
  }

  @Override
  public synchronized void look() throws IOException, InterruptedException {
    if (running) {
      long now = System.nanoTime();
      SentFigures figures = load.figures();
      acknowledged = figures.acknowledged();
      seen.look(acknowledged, figures.bytes(), now);
      seen.latencies(figures.latency(), now);
    }
  }

  /** Entries acknowledged as of the last look. */
  synchronized long acknowledged() {
    return acknowledged;
  }

  @Override
  public SideFigures seen() {
    return seen;
  }

  @Override
  public Path journal() {
    return journal;
  }

  @Override
  public String tail() throws IOException {
    return running ? bookie.server().tail() : "";
  }

  @Override
  public void close() throws IOException {
    try {
      if (bookie.server().running()) {
        bookie.kill();
      }
    } catch (InterruptedException e) {
      bookie.close();
      Thread.currentThread().interrupt();
    }
    LedgerLoad started = load;
    if (started != null) {
      started.close();
    }
  }
}
