// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.Fields;
import io.headpond.harness.load.LoadClient;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.ClientProcess;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * BookKeeper's real client in a process of its own, with the class path of its release: it writes
 * ledgers as fast as they are acknowledged, or at a given rate, over restarts of the bookies too,
 * remembers which entry was acknowledged where, and reads everything back. It can be started again
 * after it was stopped. Not safe for use by several threads.
 */
public final class LedgerLoad extends ClientProcess implements LoadClient {

  private static final Duration VERIFY_LIMIT = Duration.ofMinutes(15);
  private static final int POLL_MILLIS = 20;

  /**
   * Starts the process; nothing is written yet. The bookies needn't run yet, their ZooKeeper must.
   *
   * @param folder holds its settings and its output
   */
  public LedgerLoad(EngineRelease release, JavaHome java, Path folder, LedgerLoadSettings settings)
      throws IOException {
    super(
        Engine.BOOKKEEPER,
        release,
        java,
        folder,
        "LoadMain",
        Fields.encode(settings),
        "-Xmx512m",
        "--add-opens=java.base/java.util.zip=ALL-UNNAMED");
  }

  /** Starts the writers. */
  public LedgerLoad start() throws IOException, InterruptedException {
    ask("start");
    return this;
  }

  /** The same, of a load of prepared entries, with other entries and writers. */
  @Override
  public void start(SendingOrder order) throws IOException, InterruptedException {
    ask("start " + Fields.word(order));
  }

  @Override
  public LedgerLoad stop() throws IOException, InterruptedException {
    ask("stop");
    return this;
  }

  /** Deletes all ledgers that it wrote; it must be stopped. */
  @Override
  public void forget() throws IOException, InterruptedException {
    ask("forget");
  }

  @Override
  public SentFigures figures() throws IOException, InterruptedException {
    return Fields.decode(SentFigures.class, ask("figures"));
  }

  /**
   * The longest time without any acknowledgement since the last call, nanoseconds; one that lasts
   * yet counts as far as it is known.
   */
  public long gapNanos() throws IOException, InterruptedException {
    return Long.parseLong(ask("gap").get("nanos"));
  }

  /** The {@link BookieNode#id}s of the bookies that the latest ledger is written to now. */
  public List<String> ensemble() throws IOException, InterruptedException {
    return List.of(ask("ensemble").get("bookies").split(","));
  }

  /**
   * True if each of so many bookies acknowledges this client's entry of a new ledger, as only those
   * can that are registered and reached. The ledger is deleted again.
   */
  public boolean allAnswer(int bookies) throws IOException, InterruptedException {
    return Boolean.parseBoolean(ask("probe " + bookies).get("answer"));
  }

  /** Waits until at least {@code entries} are acknowledged; throws latencies away meanwhile. */
  public LedgerLoad awaitAcknowledged(long entries, Duration limit)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    SentFigures figures = figures();
    while (figures.acknowledged() < entries) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            String.format(
                "%d of %d entries acknowledged within %d s; last error: %s",
                figures.acknowledged(), entries, limit.toSeconds(), figures.error()));
      }
      Thread.sleep(POLL_MILLIS);
      figures = figures();
    }
    return this;
  }

  /**
   * Opens each ledger, recovering those that were never closed, reads all entries and compares each
   * with what was sent and acknowledged. The load must be stopped.
   */
  public ContentReport verify() throws IOException, InterruptedException {
    return Fields.decode(ContentReport.class, ask("verify", VERIFY_LIMIT));
  }

  /**
   * Reads each copy of each acknowledged entry from each bookie that the metadata names, and
   * compares it; the counts are of copies. To be asked after {@link #verify}, which closes ledgers.
   */
  public ContentReport verifyReplicas() throws IOException, InterruptedException {
    return Fields.decode(ContentReport.class, ask("replicas", VERIFY_LIMIT));
  }

  /** Keeps what was acknowledged so far in a file, for {@link #load}. */
  public void save(Path file) throws IOException, InterruptedException {
    ask("save " + file.toAbsolutePath());
  }

  /**
   * Deletes half of the ledgers; the load must be stopped.
   *
   * @param file what is left is kept in it, before anything is deleted
   * @return entries that were acknowledged in those
   */
  public long thin(Path file) throws IOException, InterruptedException {
    return Long.parseLong(ask("thin " + file.toAbsolutePath()).get("entries"));
  }

  /** Takes up what {@link #save} kept; before the first start. */
  public void load(Path file) throws IOException, InterruptedException {
    ask("load " + file.toAbsolutePath());
  }
}
