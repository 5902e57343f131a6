// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.ledgers;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.place.LogsAtHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * A bookie that holds a backlog on the slow device, a client that can replay it, and one that
 * publishes at a fixed rate. One thread.
 */
final class BacklogBookie implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int ENTRY_BYTES = 4096;
  private static final int WINDOW = 16;
  private static final int ENTRIES_PER_LEDGER = 5_000;

  /** Share of the backlog that is moved before a measurement; the rest lies in the newest log. */
  private static final double SETTLED = 0.7;

  private final BookieNode bookie;
  private final LedgerLoad backlog;
  private final LedgerLoad publisher;
  private final LogsAtHome logs;
  private final long backlogBytes;

  /** Add latencies of a time, and what was replayed meanwhile. */
  record Slice(Histogram nanos, double replayedBytesPerSecond) {}

  /**
   * Starts it.
   *
   * @param tiered new entry logs on the fast device? Otherwise all are in the ledger directory
   */
  BacklogBookie(
      EngineRelease release,
      ZooKeeperNode zooKeeper,
      Path folder,
      Path fast,
      boolean tiered,
      LedgersBench.Options options)
      throws IOException, InterruptedException {
    String name = tiered ? "tiered" : "one-place";
    String root = "/" + name;
    backlogBytes = options.backlogBytes();
    Path ledgers = Files.createDirectories(folder.resolve(name + "-ledgers"));
    logs = LogsAtHome.in(ledgers.resolve("current"));
    JavaHome java = JavaHome.current();
    bookie =
        new BookieNode(
                release,
                name,
                folder.resolve(name),
                zooKeeper,
                root,
                List.of(fast.resolve(name + "-journal")),
                List.of(ledgers))
            .java(java)
            .with(JournalPlugIn.find())
            .set("logSizeLimit", Long.toString(Math.max(4 << 20, backlogBytes / 16)))
            .set("flushInterval", "1000")
            .set("dbStorage_writeCacheMaxSizeMb", "64");
    if (tiered) {
      bookie
          .set("ledgerStorageClass", "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage")
          .set(
              "headpond.ledger.fast.directories",
              Files.createDirectories(fast.resolve(name + "-logs")).toString())
          .set("headpond.ledger.fast.capacity", Long.toString(2 * backlogBytes))
          .set("headpond.ledger.migrate.threshold", "0.1");
    }
    bookie.initNewCluster().start();
    String uri = zooKeeper.metadataUri(root);
    LedgerLoadSettings settings =
        LedgerLoadSettings.of(uri, 1)
            .entries(ENTRY_BYTES, false, false)
            .entriesPerLedger(ENTRIES_PER_LEDGER);
    backlog = new LedgerLoad(release, java, folder.resolve(name + "-backlog"), settings);
    publisher =
        new LedgerLoad(
            release,
            java,
            folder.resolve(name + "-publisher"),
            settings.writers(1, WINDOW).bytesPerSecond(options.bytesPerSecond()));
  }

  /** Writes the backlog and waits until it lies in the ledger directory. */
  void fill() throws IOException, InterruptedException {
    backlog.start().awaitAcknowledged(backlogBytes / ENTRY_BYTES, PATIENCE).stop();
    logs.await((long) (SETTLED * backlogBytes), PATIENCE, () -> TimeUnit.MILLISECONDS.sleep(100));
  }

  /**
   * Publishes for some time, and replays the backlog meanwhile if asked to; ends with the replay if
   * that takes less.
   */
  Slice publish(Duration time, boolean replaying) throws IOException, InterruptedException {
    logs.forget(); // an old backlog isn't in memory
    publisher.start();
    TimeUnit.SECONDS.sleep(1); // the first adds make connections and a ledger
    publisher.figures();
    double rate = 0;
    SentFigures figures;
    if (replaying) {
      CompletableFuture<Double> replay = replay();
      awaitAtMost(replay, time);
      figures = publisher.figures();
      rate = replay.join();
    } else {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
      figures = publisher.figures();
    }
    publisher.stop();
    return new Slice(figures.latency(), rate);
  }

  private static void awaitAtMost(CompletableFuture<Double> replay, Duration time)
      throws IOException, InterruptedException {
    try {
      replay.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException stillReplaying) {
      return;
    } catch (ExecutionException e) {
      throw new IOException("the backlog can't be replayed: " + e.getCause(), e);
    }
  }

  /** Reads the whole backlog and compares it; answers bytes a second. */
  private CompletableFuture<Double> replay() {
    return CompletableFuture.supplyAsync(
        () -> {
          long from = System.nanoTime();
          try {
            ContentReport report = backlog.verify();
            if (!report.clean()) {
              throw new IOException("the backlog doesn't read as it was written: " + report);
            }
            return report.verified() * (double) ENTRY_BYTES * 1e9 / (System.nanoTime() - from);
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  @Override
  public void close() {
    publisher.close();
    backlog.close();
    bookie.close();
  }
}
