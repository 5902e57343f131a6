// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.bookkeeper.JournalPlugIn;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.JavaHome;
import io.headpond.bench.pulsar.PulsarCluster;
import io.headpond.bench.pulsar.PulsarFigures;
import io.headpond.bench.pulsar.PulsarLoad;
import io.headpond.bench.pulsar.PulsarLoadSettings;
import io.headpond.bench.pulsar.PulsarReport;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * One of the two Pulsars that the demo compares: a cluster, its clients, and what was seen of them.
 * One thread runs it, another one looks; what both need is guarded by this object.
 */
final class PulsarSide implements AutoCloseable {

  private static final int PARTITIONS = 4;
  private static final int JOURNAL_MIB = 64;
  private static final int QUIET_MILLIS = 200;

  private final EngineRelease release;
  private final Path folder;
  private final Path journal;
  private final PulsarCluster cluster;
  private final Histogram steady = new Histogram(3);
  private final Histogram overRestart = new Histogram(3);
  private volatile PulsarLoad load;
  private String topic;
  private PulsarFigures figures = PulsarFigures.NONE;
  private boolean measuring;
  private boolean killTurn;
  private long beginNanos;
  private long beginBytes;
  private long countedNanos;
  private long countedBytes;
  private long bytesPerSecond;
  private long lookNanos = System.nanoTime();
  private long killNanos;
  private long killAcknowledged = Long.MAX_VALUE;
  private long firstAckNanos;
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

  /**
   * Begins a turn: publishing, until {@link #end}.
   *
   * @param counted whether its rate and its latencies count
   */
  void begin(boolean counted) throws IOException, InterruptedException {
    synchronized (this) {
      look();
      load.latencyInterval();
      measuring = counted;
      beginNanos = System.nanoTime();
      beginBytes = figures.acknowledgedBytes();
    }
    load.publish();
  }

  /** Ends a turn, when everything that was sent is acknowledged. */
  void end() throws IOException, InterruptedException {
    load.stop();
    synchronized (this) {
      look();
      bytesPerSecond = 0;
      if (measuring) {
        countedNanos += System.nanoTime() - beginNanos;
        countedBytes += figures.acknowledgedBytes() - beginBytes;
        measuring = false;
      }
      killTurn = false;
    }
  }

  /** SIGKILL of the bookie; returns its process id. */
  long kill() throws IOException, InterruptedException {
    long pid = cluster.bookie().server().pid();
    synchronized (this) {
      load.latencyInterval();
      killTurn = true;
      cluster.bookie().kill();
      killNanos = System.nanoTime();
    }
    // Acknowledgements that the bookie's last answers led to are still on their way.
    long acknowledged = -1;
    while (acknowledged != load.figures().acknowledged()) {
      acknowledged = load.figures().acknowledged();
      Thread.sleep(QUIET_MILLIS);
    }
    synchronized (this) {
      killAcknowledged = acknowledged;
    }
    return pid;
  }

  /** Starts the bookie again. */
  void restart() throws IOException, InterruptedException {
    cluster.bookie().start();
  }

  /** Waits until the bookie is written to again. */
  void awaitAcknowledging() throws IOException, InterruptedException {
    load.awaitAcknowledged(killAcknowledged + 1);
    look();
  }

  /** Whether the queue's consumers have all but caught up with the publisher. */
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

  /** Asks the clients how far they are. */
  synchronized void look() throws IOException, InterruptedException {
    if (load == null) {
      return;
    }
    long now = System.nanoTime();
    PulsarFigures before = figures;
    figures = load.figures();
    bytesPerSecond =
        (long)
            ((figures.acknowledgedBytes() - before.acknowledgedBytes())
                * 1e9
                / Math.max(1, now - lookNanos));
    lookNanos = now;
    backlogMax = Math.max(backlogMax, figures.queueMissing());
    if (killNanos != 0 && firstAckNanos == 0 && figures.acknowledged() > killAcknowledged) {
      firstAckNanos = now;
    }
    if (measuring || killTurn) {
      (measuring ? steady : overRestart).add(load.latencyInterval());
    }
  }

  /** As of the last look. */
  synchronized PulsarFigures figures() {
    return figures;
  }

  /** Seconds of the turns that counted. */
  synchronized double seconds() {
    return countedNanos / 1e9;
  }

  /** Acknowledged in them, 10^6 bytes per second; NaN before the first one has ended. */
  synchronized double mbPerS() {
    return countedNanos == 0 ? Double.NaN : countedBytes * 1e3 / countedNanos;
  }

  /** As of the last look; 0 between its turns. */
  synchronized long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** In the turns that counted, milliseconds; NaN if there were none. */
  synchronized double latencyMs(double percentile) {
    return steady.getTotalCount() == 0 ? Double.NaN : steady.getValueAtPercentile(percentile) / 1e6;
  }

  /** The longest wait of a message in the turn with the kill, milliseconds; NaN without one. */
  synchronized double overRestartMaxMs() {
    return overRestart.getTotalCount() == 0 ? Double.NaN : overRestart.getMaxValue() / 1e6;
  }

  /** From the kill to the first acknowledgement after it; zero before that. */
  synchronized Duration outage() {
    return Duration.ofNanos(firstAckNanos == 0 ? 0 : firstAckNanos - killNanos);
  }

  /** The largest backlog of the queue that was seen, messages. */
  synchronized long backlogMax() {
    return backlogMax;
  }

  /** Bytes of the journal's files, the space that is allocated ahead included. */
  long journalBytes() {
    Path current = journal.resolve("current");
    long bytes = 0;
    if (Files.isDirectory(current)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(current, "*.txn")) {
        for (Path file : files) {
          bytes += Files.size(file);
        }
      } catch (IOException e) {
        return bytes; // a journal that was just removed
      }
    }
    return bytes;
  }

  /** The end of what bookie and broker have printed and logged. */
  String tail() throws IOException {
    return cluster.tail();
  }

  /** Kills what lives, and waits until it is gone. */
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
