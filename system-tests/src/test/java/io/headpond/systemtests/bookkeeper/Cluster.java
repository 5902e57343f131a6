// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * ZooKeeper and bookies of one release on one Java, their ledgers on disk and their journals where
 * the tiers are, with a client. Everything ends, and its folders go, when it is closed.
 */
final class Cluster implements AutoCloseable {

  private static final String ROOT = "/ledgers";

  private final Workspace workspace;
  private final EngineRelease release;
  private final JavaHome java;
  private final ZooKeeperNode zooKeeper;
  private final List<BookieNode> bookies = new ArrayList<>();
  private final List<LedgerLoad> loads = new ArrayList<>();

  /** Starts ZooKeeper and creates the cluster's metadata; the bookies aren't started. */
  Cluster(String name, EngineRelease release, JavaHome java, int bookies)
      throws IOException, InterruptedException {
    this(Workspace.create(name), release, java, bookies);
  }

  /** The same in folders of the test's, which are removed with it. */
  Cluster(Workspace workspace, EngineRelease release, JavaHome java, int bookies)
      throws IOException, InterruptedException {
    this.workspace = workspace;
    this.release = release;
    this.java = java;
    this.zooKeeper = new ZooKeeperNode(release, java, workspace.folder("zookeeper")).start();
    for (int i = 0; i < bookies; i++) {
      add("bookie-" + i);
    }
    bookies().get(0).initNewCluster();
  }

  /** One more bookie, not started. */
  BookieNode add(String name) throws IOException {
    return add(name, workspace.tier(name + "-journal"));
  }

  /** One more bookie with its journal in a folder of the test's, not started. */
  BookieNode add(String name, Path journal) throws IOException {
    BookieNode bookie =
        new BookieNode(
                release,
                name,
                workspace.folder(name),
                zooKeeper,
                ROOT,
                List.of(journal),
                List.of(workspace.folder(name + "-ledgers")))
            .java(java);
    bookies.add(bookie);
    return bookie;
  }

  Workspace workspace() {
    return workspace;
  }

  String metadataUri() {
    return zooKeeper.metadataUri(ROOT);
  }

  List<BookieNode> bookies() {
    return bookies;
  }

  /** The only one, or the first. */
  BookieNode bookie() {
    return bookies.get(0);
  }

  /** A client, not started. */
  LedgerLoad load(LedgerLoadSettings settings) throws IOException {
    LedgerLoad load =
        new LedgerLoad(release, java, workspace.folder("client-" + loads.size()), settings);
    loads.add(load);
    return load;
  }

  /** Reads everything back; an assertion error names what is wrong. */
  static ContentReport verified(LedgerLoad load) throws IOException, InterruptedException {
    ContentReport report = load.verify();
    assertThat(report.examples()).isEmpty();
    assertThat(report.clean()).as(report.toString()).isTrue();
    assertThat(report.verified()).isPositive();
    return report;
  }

  @Override
  public void close() throws IOException {
    loads.forEach(LedgerLoad::close);
    bookies.forEach(BookieNode::close);
    zooKeeper.close();
    workspace.close();
  }
}
