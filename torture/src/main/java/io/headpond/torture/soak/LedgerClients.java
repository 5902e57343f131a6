// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A ZooKeeper, a bookie, and BookKeeper's own client, which writes ledgers. */
final class LedgerClients implements BookieClients {
  private static final String ROOT = "/ledgers";
  private static final long BYTES_PER_SECOND = 4 << 20;
  private static final int ENTRIES_PER_LEDGER = 4_000;

  private final BookieSoakSettings settings;
  private final ZooKeeperNode zooKeeper;
  private final SoakedBookie bookie;
  private LedgerLoad load;
  private long before;

  /** Nothing is started. */
  LedgerClients(BookieSoakSettings settings) throws IOException {
    this.settings = settings;
    EngineRelease release = settings.release();
    Path folder = settings.folder();
    zooKeeper = new ZooKeeperNode(release, JavaHome.current(), folder.resolve("zookeeper"));
    BookieNode node =
        new BookieNode(
            release,
            "bookie",
            folder.resolve("bookie"),
            zooKeeper,
            ROOT,
            List.of(settings.journal()),
            List.of(settings.ledgers()));
    bookie = new SoakedBookie(node, settings.fast(), settings.random());
  }

  @Override
  public SoakedBookie bookie() {
    return bookie;
  }

  @Override
  public void prepare() throws IOException, InterruptedException {
    zooKeeper.start();
    bookie.node().initNewCluster();
    load =
        new LedgerLoad(
            settings.release(),
            JavaHome.current(),
            settings.client(),
            LedgerLoadSettings.of(zooKeeper.metadataUri(ROOT), settings.seed())
                .bytesPerSecond(BYTES_PER_SECOND)
                .entriesPerLedger(ENTRIES_PER_LEDGER));
  }

  @Override
  public void begin(int lap) throws IOException, InterruptedException {
    before = load.figures().acknowledged();
  }

  @Override
  public void write() throws IOException, InterruptedException {
    load.start();
  }

  @Override
  public void pause() throws IOException, InterruptedException {
    load.stop();
  }

  @Override
  public long acknowledged() throws IOException, InterruptedException {
    return load.figures().acknowledged() - before;
  }

  @Override
  public long deleteHalf() throws IOException, InterruptedException {
    return load.thin(settings.folder().resolve("acknowledged"));
  }

  @Override
  public ContentReport compare() throws IOException, InterruptedException {
    return load.verify();
  }

  @Override
  public void end() throws IOException, InterruptedException {
    load.forget();
  }

  @Override
  public Optional<PulsarServer> broker() {
    return Optional.empty();
  }

  @Override
  public void close() {
    bookie.close();
    if (load != null) {
      load.close();
    }
    zooKeeper.close();
  }
}
