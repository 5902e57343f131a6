// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.bookkeeper.BookieNode;
import io.headpond.bench.bookkeeper.JournalPlugIn;
import io.headpond.bench.bookkeeper.LedgerFigures;
import io.headpond.bench.bookkeeper.LedgerLoad;
import io.headpond.bench.bookkeeper.LedgerLoadSettings;
import io.headpond.bench.bookkeeper.ZooKeeperNode;
import io.headpond.bench.load.ContentReport;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.JavaHome;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * One of the two bookies that the demo compares, alone in its cluster, with its client, and what
 * was seen of them. One thread runs it, another one looks; what both need is guarded by this
 * object.
 */
final class BookKeeperSide implements AutoCloseable {

  private static final int WRITERS = 2;
  private static final int WINDOW = 8;
  private static final long LAST_ANSWERS_MILLIS = 50;
  private static final long AFTER_RESTART_NANOS = 1_000_000_000L;

  private final Path journal;
  private final BookieNode bookie;
  private final LedgerLoad load;
  private final Histogram steady = new Histogram(3);
  private final Histogram overRestart = new Histogram(3);
  private Optional<LedgerFigures> latest = Optional.empty();
  private boolean counted;
  private long countedBytes;
  private long countedNanos;
  private long bytesPerSecond;
  private long lookNanos;
  private long killNanos;
  private long killAcknowledged;
  private long firstAckNanos;

  /**
   * Makes the cluster; the bookie isn't started.
   *
   * @param name of its cluster, and of its folder at home
   * @param journal its {@code journalDirectories}
   * @param headpond the plug-in, if the journal is Headpond's
   * @param rate limit, bytes per second
   */
  BookKeeperSide(
      EngineRelease release,
      ZooKeeperNode zooKeeper,
      String name,
      Path home,
      Path journal,
      Optional<JournalPlugIn> headpond,
      long rate)
      throws IOException, InterruptedException {
    this.journal = journal;
    Path folder = Files.createDirectories(home.resolve(name));
    String root = "/" + name;
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
        .set("flushInterval", "2000")
        .set("diskUsageThreshold", "0.99");
    headpond.ifPresent(bookie::with);
    bookie.initNewCluster();
    this.load =
        new LedgerLoad(
            release,
            JavaHome.current(),
            folder.resolve("client"),
            LedgerLoadSettings.of(zooKeeper.metadataUri(root), System.nanoTime())
                .writers(WRITERS, WINDOW)
                .entriesPerLedger(50_000)
                .bytesPerSecond(rate));
  }

  /** Starts the bookie and waits until it serves clients. */
  void startBookie() throws IOException, InterruptedException {
    bookie.start();
  }

  /**
   * Begins a turn.
   *
   * @param count whether its figures count
   */
  synchronized void begin(boolean count) throws IOException, InterruptedException {
    load.start();
    look();
    counted = count;
    countedBytes -= count ? latest.orElseThrow().bytes() : 0;
    countedNanos -= count ? System.nanoTime() : 0;
  }

  /** Ends a turn: everything that was sent is answered then. */
  synchronized void end() throws IOException, InterruptedException {
    if (counted) {
      // Not with what is answered while the writers end: less and less is under way then.
      look();
      countedBytes += latest.orElseThrow().bytes();
      countedNanos += System.nanoTime();
    }
    load.stop();
    look();
    counted = false;
    bytesPerSecond = 0;
  }

  /** SIGKILL of the bookie; returns its process id. */
  synchronized long kill() throws IOException, InterruptedException {
    long pid = bookie.server().pid();
    look();
    killAcknowledged = Long.MAX_VALUE;
    killNanos = System.nanoTime();
    bookie.kill();
    // What it had answered before its death may still be on its way to the client.
    long acknowledged;
    do {
      acknowledged = acknowledged();
      TimeUnit.MILLISECONDS.sleep(LAST_ANSWERS_MILLIS);
      look();
    } while (acknowledged() > acknowledged);
    killAcknowledged = acknowledged;
    return pid;
  }

  /** Reads everything back and compares; its turns must be over. */
  ContentReport verify() throws IOException, InterruptedException {
    return load.verify();
  }

  /** Asks the client how far it is. */
  synchronized void look() throws IOException, InterruptedException {
    long now = System.nanoTime();
    LedgerFigures figures = load.figures();
    long before = latest.map(LedgerFigures::bytes).orElse(0L);
    bytesPerSecond = (long) ((figures.bytes() - before) * 1e9 / Math.max(1, now - lookNanos));
    lookNanos = now;
    latest = Optional.of(figures);
    if (killNanos != 0 && firstAckNanos == 0 && figures.acknowledged() > killAcknowledged) {
      firstAckNanos = now;
    }
    record(figures.latency(), now);
  }

  /** The latencies of entries that waited for the restart are kept apart. */
  private void record(Histogram interval, long now) {
    boolean waited =
        killNanos != 0 && (firstAckNanos == 0 || now - firstAckNanos < AFTER_RESTART_NANOS);
    for (HistogramIterationValue each : interval.recordedValues()) {
      boolean over = waited || killNanos != 0 && each.getValueIteratedTo() > now - firstAckNanos;
      if (over || counted) {
        (over ? overRestart : steady)
            .recordValueWithCount(
                each.getValueIteratedTo(), each.getCountAddedInThisIterationStep());
      }
    }
  }

  /** Entries acknowledged as of the last look. */
  synchronized long acknowledged() {
    return latest.map(LedgerFigures::acknowledged).orElse(0L);
  }

  /** As of the last look. */
  synchronized long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Length of the turns that counted and are over, seconds. */
  synchronized double seconds() {
    return counted ? (countedNanos + System.nanoTime()) / 1e9 : countedNanos / 1e9;
  }

  /** Acknowledged in these turns, 10^6 bytes per second; NaN before the first. */
  synchronized double mbPerS() {
    double seconds = seconds();
    long bytes = counted ? countedBytes + latest.orElseThrow().bytes() : countedBytes;
    return seconds == 0 ? Double.NaN : bytes / seconds / 1e6;
  }

  /** From sending to acknowledgement in these turns, milliseconds; NaN before the first. */
  synchronized double latencyMs(double percentile) {
    return steady.getTotalCount() == 0 ? Double.NaN : steady.getValueAtPercentile(percentile) / 1e6;
  }

  /** The longest wait of an entry over the restart, milliseconds; NaN if there was none. */
  synchronized double overRestartMaxMs() {
    return overRestart.getTotalCount() == 0 ? Double.NaN : overRestart.getMaxValue() / 1e6;
  }

  /** From the kill to the first acknowledgement after it; zero before that. */
  synchronized Duration outage() {
    return Duration.ofNanos(firstAckNanos == 0 ? 0 : firstAckNanos - killNanos);
  }

  /** Bytes of the journal's files, the space that is allocated ahead included. */
  long journalBytes() throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(journal.resolve("current"), "*.txn")) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** The end of what the bookie has printed and logged. */
  String tail() throws IOException {
    return bookie.server().tail();
  }

  /** Kills what lives. */
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
    load.close();
  }
}
