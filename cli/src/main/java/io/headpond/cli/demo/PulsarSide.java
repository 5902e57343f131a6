// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarCluster;
import io.headpond.harness.pulsar.PulsarFigures;
import io.headpond.harness.pulsar.PulsarLoad;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import io.headpond.harness.pulsar.PulsarReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One of the two Pulsars that the demo compares: a cluster, its clients and its figures. One thread
 * runs it, another one looks; this object guards what both need.
 */
final class PulsarSide implements JournalSide {

  private static final int PARTITIONS = 4;
  private static final int JOURNAL_MIB = 64;
  private static final int QUIET_MILLIS = 200;

  private final EngineRelease release;
  private final Path folder;
  private final Path journal;
  private final PulsarCluster cluster;
  private final SideFigures seen = new SideFigures();
  private volatile PulsarLoad load;
  private String topic;
  private PulsarFigures figures = PulsarFigures.NONE;
  private boolean measuring;
  private boolean killTurn;
  private long backlogMax;

  /**
   * Nothing is started yet.
   *
   * @param folder everything but the journal
   * @param journal the bookie's journal directory
   * @param headpond the plug-in, if the journal is Headpond's
   */
  PulsarSide(EngineRelease release, Path folder, Path journal, Optional<JournalPlugIn> headpond)
      throws IOException {
    this.release = release;
    this.folder = folder;
    this.journal = journal;
    this.cluster =
        new PulsarCluster(release, JavaHome.current(), folder, journal, folder.resolve("ledgers"));
    // The same on both sides. Small journals, so that they roll, and a replay isn't all there is.
    cluster
        .bookie()
        .set("journalMaxSizeMB", Integer.toString(JOURNAL_MIB))
        .set("journalReuseFiles", "true")
        .set("journalMaxBackups", "5")
        .set("flushInterval", "5000");
    headpond.ifPresent(cluster::with);
  }

  /** Starts everything, and connects the clients. */
  void start(long seed, long rate) throws IOException, InterruptedException {
    cluster.start();
    topic = cluster.broker().admin().createTopic("orders", PARTITIONS);
    load =
        new PulsarLoad(
            release,
            JavaHome.current(),
            folder.resolve("client"),
            PulsarLoadSettings.of(cluster.broker().serviceUrl(), topic, PARTITIONS)
                .seed(seed)
                .bytesPerSecond(rate));
    load.figures();
  }

  /** Its clients. */
  PulsarLoad load() {
    return load;
  }

  @Override
  public void begin(boolean counted) throws IOException, InterruptedException {
    synchronized (this) {
      look();
      load.latencyInterval();
      measuring = counted;
      seen.begin(counted);
    }
    load.publish();
  }

  @Override
  public void end() throws IOException, InterruptedException {
    load.stop();
    synchronized (this) {
      look();
      seen.end();
      measuring = false;
      killTurn = false;
    }
  }

  @Override
  public long kill() throws IOException, InterruptedException {
    long pid = cluster.bookie().server().pid();
    synchronized (this) {
      load.latencyInterval();
      killTurn = true;
      cluster.bookie().kill();
      seen.outage().begin();
    }
    // Acknowledgements that the bookie's last answers led to are still on their way.
    long acknowledged = -1;
    while (acknowledged != load.figures().acknowledged()) {
      acknowledged = load.figures().acknowledged();
      Thread.sleep(QUIET_MILLIS);
    }
    seen.outage().acknowledgedBefore(acknowledged);
    return pid;
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    cluster.bookie().start();
  }

  @Override
  public void awaitAcknowledging() throws IOException, InterruptedException {
    load.awaitAcknowledged(seen.outage().acknowledgedBefore() + 1);
    look();
  }

  /** True when the queue's consumers have all but caught up with the publisher. */
  synchronized boolean caughtUp() {
    return figures.queueMissing() < backlogMax / 20;
  }

  /** Waits until the broker too says that the queue's backlog is drained. */
  void awaitDrained() throws IOException, InterruptedException {
    while (cluster.broker().admin().backlog(topic, "queue") > 0) {
      Thread.sleep(50);
    }
  }

  /** Reads everything back and compares. */
  PulsarReport verify() throws IOException, InterruptedException {
    PulsarReport report = load.verify();
    look();
    return report;
  }

  @Override
  public synchronized void look() throws IOException, InterruptedException {
    if (load == null) {
      return;
    }
    long now = System.nanoTime();
    figures = load.figures();
    seen.look(figures.acknowledged(), figures.acknowledgedBytes(), now);
    backlogMax = Math.max(backlogMax, figures.queueMissing());
    if (measuring) {
      seen.steadyLatencies(load.latencyInterval());
    } else if (killTurn) {
      seen.outage().add(load.latencyInterval());
    }
  }

  /** As of the last look. */
  synchronized PulsarFigures figures() {
    return figures;
  }

  @Override
  public SideFigures seen() {
    return seen;
  }

  @Override
  public Path journal() {
    return journal;
  }

  /** The largest backlog of the queue that was seen, messages. */
  synchronized long backlogMax() {
    return backlogMax;
  }

  @Override
  public String tail() throws IOException {
    return cluster.tail();
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cluster.close();
    }
    PulsarLoad connected = load;
    if (connected != null) {
      connected.close();
    }
  }
}
