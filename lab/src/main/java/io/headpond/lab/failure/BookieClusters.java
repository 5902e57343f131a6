// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FreeSpace;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.place.BenchFolders;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Clusters of bookies, alike but for their journals, and the ZooKeeper of all of them. */
final class BookieClusters implements FailureClusters {

  /** Room of each bookie beside its messages: a log and a journal that are begun. */
  private static final long SPARE_BYTES = 128 << 20;

  private final FailureSettings settings;
  private final LedgerQuorum quorum;
  private final EngineRelease bookKeeper;
  private final List<JournalVariant> variants;
  private final BenchFolders folders;
  private final ZooKeeperNode zooKeeper;
  private final List<BookieCluster> clusters = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Makes its folders; nothing runs yet. */
  BookieClusters(FailureSettings settings, LedgerQuorum quorum, EngineRelease bookKeeper)
      throws IOException {
    this.settings = settings;
    this.quorum = quorum;
    this.bookKeeper = bookKeeper;
    this.variants = settings.variants().stream().map(JournalVariant.class::cast).toList();
    long journals = FailureSettings.NODES * journalBytes();
    long onFast = variants.stream().filter(JournalVariant::fast).count();
    long ledgers = variants.size() * (settings.turnBytes() + FailureSettings.NODES * SPARE_BYTES);
    String whose = "three bookies of each variant";
    String otherwise = "choose a lower rate";
    FreeSpace.require(settings.fast(), onFast * journals, whose, otherwise);
    FreeSpace.require(
        settings.home(), (variants.size() - onFast) * journals + ledgers, whose, otherwise);
    this.folders = BenchFolders.create(settings.fast(), settings.home());
    this.zooKeeper = new ZooKeeperNode(bookKeeper, settings.java(), folders.home("zookeeper"));
  }

  /** The journals of each bookie: what it writes in all rounds, as far as files are kept. */
  private long journalBytes() {
    return SPARE_BYTES
        + Math.min(
            BookieCluster.JOURNAL_BYTES_MAX,
            settings.rounds() * settings.turnBytes() / FailureSettings.NODES);
  }

  @Override
  public List<FailureCluster> start(Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("starting ZooKeeper");
    zooKeeper.start();
    for (JournalVariant variant : variants) {
      BookieCluster cluster =
          new BookieCluster(bookKeeper, settings, quorum, folders, variant, zooKeeper);
      clusters.add(cluster);
      if (closed) {
        throw new InterruptedException("the benchmark was closed");
      }
      progress.accept(variant + ": starting three bookies");
      cluster.start();
    }
    return List.copyOf(clusters);
  }

  @Override
  public Map<String, String> places() throws IOException {
    return JournalVariant.places(variants, settings.fast(), settings.home());
  }

  @Override
  public void close() throws IOException {
    closed = true;
    clusters.forEach(BookieCluster::close);
    zooKeeper.close();
    folders.remove();
  }
}
