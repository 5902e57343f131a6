// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.bookkeeper.variant.VariantBookie;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.place.BenchFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Three bookies of one variant with a client in a process of its own. For one thread but for close.
 */
final class BookieCluster implements FailureCluster {

  private static final int JOURNAL_FILES = 4;

  /** Files of a journal that are kept, and the one that is written; 64 MiB each. */
  static final long JOURNAL_BYTES_MAX = (JOURNAL_FILES + 1) * (64L << 20);

  /** Entries of a ledger, never reached: a turn writes one ledger, unless an add fails. */
  private static final long ENTRIES_MAX = 1L << 26;

  /** Adds that may wait for their answer: what a stall of many seconds holds up. */
  private static final int WINDOW_MAX = 10_000;

  private static final long IN_FLIGHT_BYTES_MAX = 32L << 20;
  private static final long SEED = 1;

  private final EngineRelease bookKeeper;
  private final FailureSettings settings;
  private final JournalVariant variant;
  private final Path clientFolder;
  private final LedgerLoadSettings load;
  private final List<BookieNode> bookies = new ArrayList<>();
  private LedgerLoad client;
  private boolean closed;

  /** Configures the cluster; nothing runs yet. */
  BookieCluster(
      EngineRelease bookKeeper,
      FailureSettings settings,
      LedgerQuorum quorum,
      BenchFolders folders,
      JournalVariant variant,
      ZooKeeperNode zooKeeper)
      throws IOException {
    this.bookKeeper = bookKeeper;
    this.settings = settings;
    this.variant = variant;
    this.clientFolder = folders.home(variant + "-client");
    String root = "/" + variant;
    long window = Math.min(WINDOW_MAX, IN_FLIGHT_BYTES_MAX / settings.messageBytes());
    this.load =
        LedgerLoadSettings.of(zooKeeper.metadataUri(root), SEED)
            .writers(1, (int) Math.max(1, window))
            .quorum(quorum)
            .entries(settings.messageBytes(), false, false)
            .pace(settings.pace())
            .entriesPerLedger(ENTRIES_MAX);
    for (int number = 1; number <= FailureSettings.NODES; number++) {
      String journal = variant + "-journal-" + number;
      BookieNode bookie =
          VariantBookie.of(
                  variant,
                  bookKeeper,
                  settings.java(),
                  zooKeeper,
                  root,
                  folders.home(variant + "-bookie-" + number),
                  List.of(variant.fast() ? folders.fast(journal) : folders.home(journal)))
              .littleMemory()
              .set("journalMaxBackups", Integer.toString(JOURNAL_FILES));
      bookies.add(bookie);
    }
  }

  @Override
  public JournalVariant variant() {
    return variant;
  }

  void start() throws IOException, InterruptedException {
    bookies.get(0).initNewCluster();
    for (BookieNode bookie : bookies) {
      launch(bookie);
    }
    for (BookieNode bookie : bookies) {
      bookie.awaitReady();
    }
    connect();
  }

  /** Starts a bookie, unless all has been closed: it would live on. */
  synchronized void launch(BookieNode bookie) throws IOException, InterruptedException {
    requireOpen();
    bookie.launch();
  }

  private synchronized void connect() throws IOException, InterruptedException {
    requireOpen();
    client = new LedgerLoad(bookKeeper, settings.java(), clientFolder, load);
  }

  private void requireOpen() throws InterruptedException {
    if (closed) {
      throw new InterruptedException("the benchmark was closed");
    }
  }

  List<BookieNode> bookies() {
    return bookies;
  }

  @Override
  public NodeOutage begin(int round) throws IOException, InterruptedException {
    return BookieOutage.begin(this, client, round);
  }

  @Override
  public CpuTime cpu() {
    Duration all = Duration.ZERO;
    for (BookieNode bookie : bookies) {
      all = bookie.server().running() ? all.plus(bookie.server().cpuTime()) : all;
    }
    return new CpuTime(all, client.cpuTime());
  }

  /** Kills the client and the bookies that live; none is started any more. Any thread. */
  synchronized void close() {
    closed = true;
    if (client != null) {
      client.close();
    }
    bookies.forEach(BookieNode::close);
  }
}
