// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * ZooKeeper, one bookie and one broker, each a process of its own, as in production: Pulsar's
 * standalone would keep journal and ledgers in one directory. Not safe for use by several threads.
 */
public final class PulsarCluster implements AutoCloseable {

  private static final String LEDGERS = "/ledgers";

  private final ZooKeeperNode zooKeeper;
  private final BookieNode bookie;
  private final PulsarServer broker;

  /**
   * Nothing is started yet.
   *
   * @param folder holds configuration, output and metadata
   * @param journalDir the bookie's journal
   * @param ledgerDir the bookie's ledgers
   */
  public PulsarCluster(
      EngineRelease release, JavaHome java, Path folder, Path journalDir, Path ledgerDir)
      throws IOException {
    this.zooKeeper = new ZooKeeperNode(release, java, folder.resolve("zookeeper"));
    this.bookie =
        new BookieNode(
                release,
                "bookie",
                folder.resolve("bookie"),
                zooKeeper,
                LEDGERS,
                List.of(journalDir),
                List.of(ledgerDir))
            // The layout of ledgers is what Pulsar's own tools have written, whatever it is.
            .set("metadataServiceUri", "zk+null://" + zooKeeper.address() + LEDGERS)
            .java(java);
    this.broker =
        PulsarServer.broker(release, folder.resolve("broker"), "zk:" + zooKeeper.address())
            .java(java);
  }

  /** The bookie's journal is Headpond's from its next start on. */
  public PulsarCluster with(JournalPlugIn headpond) {
    bookie.with(headpond);
    return this;
  }

  /** Starts ZooKeeper and makes the metadata; neither bookie nor broker is started. */
  public PulsarCluster prepare() throws IOException, InterruptedException {
    zooKeeper.start();
    broker.initialiseMetadata();
    return this;
  }

  /** Makes the metadata, and starts everything for the first time. */
  public PulsarCluster start() throws IOException, InterruptedException {
    prepare();
    bookie.launch();
    broker.launch();
    bookie.awaitReady();
    broker.awaitReady();
    return this;
  }

  /** The bookie. */
  public BookieNode bookie() {
    return bookie;
  }

  /** The broker. */
  public PulsarServer broker() {
    return broker;
  }

  /** The end of what the three have printed and logged. */
  public String tail() throws IOException {
    return bookie.server().tail() + "\n" + broker.server().tail();
  }

  /** Kills what lives, and waits until it is gone. */
  public void kill() throws IOException, InterruptedException {
    if (broker.server().running()) {
      broker.kill();
    }
    if (bookie.server().running()) {
      bookie.kill();
    }
    if (zooKeeper.server().running()) {
      zooKeeper.server().kill();
    }
  }

  @Override
  public void close() {
    broker.close();
    bookie.close();
    zooKeeper.close();
  }
}
