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
import java.nio.file.Path;
import java.util.List;

/** A bookie, its ZooKeeper and a client that writes two ledgers at a time. */
final class BookKeeperSide implements DemoSide {

  private static final String ROOT = "/ledgers";
  private static final long BYTES_PER_SECOND = 32L << 20;
  private static final int WRITERS = 2;
  private static final int WINDOW = 8;

  private final EngineRelease release;
  private final Path folder;
  private final BookieJournal journal;
  private final ZooKeeperNode zooKeeper;
  private final BookieNode bookie;
  private volatile LedgerLoad load;

  BookKeeperSide(EngineRelease release, DemoPlace place, boolean headpond) throws IOException {
    this.release = release;
    this.folder = place.home().resolve(headpond ? "headpond" : "vanilla");
    this.journal = BookieJournal.of(place, headpond);
    this.zooKeeper = new ZooKeeperNode(release, JavaHome.current(), folder.resolve("zookeeper"));
    this.bookie =
        new BookieNode(
            release,
            "the bookie",
            folder.resolve("bookie"),
            zooKeeper,
            ROOT,
            List.of(journal.directory()),
            List.of(folder.resolve("ledgers")));
    BookieJournal.configure(bookie);
    if (headpond) {
      bookie.with(JournalPlugIn.find());
    }
  }

  @Override
  public void start() throws IOException, InterruptedException {
    zooKeeper.start();
    bookie.initNewCluster();
    load =
        new LedgerLoad(
            release,
            JavaHome.current(),
            folder.resolve("client"),
            LedgerLoadSettings.of(zooKeeper.metadataUri(ROOT), System.nanoTime())
                .writers(WRITERS, WINDOW)
                .entriesPerLedger(50_000)
                .bytesPerSecond(BYTES_PER_SECOND));
    bookie.start();
  }

  @Override
  public void produce() throws IOException, InterruptedException {
    load.start();
  }

  @Override
  public void pause() throws IOException, InterruptedException {
    load.stop();
  }

  @Override
  public SentFigures figures() throws IOException, InterruptedException {
    return load.figures();
  }

  @Override
  public long kill() throws IOException, InterruptedException {
    long pid = bookie.server().pid();
    bookie.kill();
    return pid;
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    bookie.start();
  }

  @Override
  public ContentReport compare() throws IOException, InterruptedException {
    return load.verify();
  }

  @Override
  public List<String> files() throws IOException {
    return journal.files();
  }

  @Override
  public long fastBytes() throws IOException {
    return journal.bytes();
  }

  @Override
  public String tail() throws IOException {
    return bookie.server().tail();
  }

  @Override
  public void close() throws IOException {
    LedgerLoad started = load;
    if (started != null) {
      started.close();
    }
    bookie.close();
    zooKeeper.close();
  }
}
