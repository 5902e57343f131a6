// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.layout.LogDirScan;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The bookie of a soak: an unmodified one with Headpond's journal and tiered entry logs, both too
 * small, so that journals roll several times a second and logs are moved, removed and compacted all
 * the time. One thread, but {@link #close}.
 */
final class SoakedBookie implements Closeable {
  /** Room for new entry logs. */
  static final long FAST_BYTES = 48L << 20;

  private static final int LOG_BYTES = 4 << 20;
  private static final String STORAGE = "ledgerStorageClass";
  private static final String TIERED = "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage";
  private static final String VANILLA = "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage";
  private static final String THRESHOLD = "headpond.ledger.migrate.threshold";

  /** Each is as right as the others; they are drawn anew for each start. */
  private static final Map<String, List<String>> DRAWN =
      Map.of(
          "journalReuseFiles",
          List.of("true", "false"),
          "useTransactionalCompaction",
          List.of("true", "false"),
          THRESHOLD,
          List.of("0.25", "0.5"));

  private final BookieNode node;
  private final Path fast;
  private final Random random;
  private final JournalPlugIn plugIn;
  private final OperatorCommands commands;
  private final List<JavaHome> javas = JavaHome.installed();
  private volatile boolean closed;

  /**
   * Not started.
   *
   * @param fast where new entry logs are created
   */
  SoakedBookie(BookieNode node, Path fast, Random random) throws IOException {
    this.node = node;
    this.fast = fast;
    this.random = random;
    plugIn = JournalPlugIn.find();
    commands =
        new OperatorCommands(
            node.server().folder(), "--bookkeeper", node.configuration().toString());
    // The heap has all of its memory from the start, so that what else grows is seen.
    node.server().jvmArguments("-Xms384m", "-XX:+AlwaysPreTouch");
    node.set("journalMaxSizeMB", "2")
        .set("journalPreAllocSizeMB", "1")
        .set("journalMaxBackups", "12")
        .set("flushInterval", "500")
        .set("dbStorage_writeCacheMaxSizeMb", "16")
        // Of 64 MiB, as they are by default, they fill for longer than a lap.
        .set("dbStorage_rocksDB_writeBufferSizeMB", "4")
        .set("logSizeLimit", Integer.toString(LOG_BYTES))
        .set("gcWaitTime", "500")
        .set("minorCompactionThreshold", "0")
        .set("majorCompactionInterval", "1")
        .set("majorCompactionThreshold", "0.8")
        .set("isThrottleByBytes", "true")
        .set("compactionRateByBytes", Integer.toString(4 << 20));
  }

  BookieNode node() {
    return node;
  }

  /** Starts it with Headpond, other settings and perhaps another Java; says which. */
  String start() throws IOException, InterruptedException {
    JavaHome java = javas.get(random.nextInt(javas.size()));
    StringBuilder drawn = new StringBuilder("Java " + java.feature());
    configure();
    DRAWN.keySet().stream()
        .sorted()
        .forEach(
            key -> {
              List<String> values = DRAWN.get(key);
              String value = values.get(random.nextInt(values.size()));
              node.set(key, value);
              drawn.append(", ").append(key.substring(key.lastIndexOf('.') + 1));
              drawn.append(' ').append(value);
            });
    launch(java);
    return drawn.toString();
  }

  private void configure() {
    node.with(plugIn)
        .set(STORAGE, TIERED)
        .set("headpond.ledger.fast.directories", fast.toString())
        .set("headpond.ledger.fast.capacity", FAST_BYTES + "B")
        .set(THRESHOLD, "0.5");
  }

  /** Starts the unmodified bookie. */
  void startVanilla() throws IOException, InterruptedException {
    node.vanilla().set(STORAGE, VANILLA);
    launch(JavaHome.current());
  }

  private void launch(JavaHome java) throws IOException, InterruptedException {
    if (closed) {
      throw new IOException("interrupted");
    }
    node.java(java).start();
  }

  void kill() throws IOException, InterruptedException {
    node.kill();
  }

  void stop() throws IOException, InterruptedException {
    node.stop();
  }

  /** Is an entry log being copied? */
  boolean copying() throws IOException {
    return !LogDirScan.unfinishedMoves(node.ledgerDirs().get(0)).isEmpty();
  }

  /**
   * Its entry logs.
   *
   * @param onFast those that lie on the fast device, or else those at home
   */
  long logs(boolean onFast) throws IOException {
    try (Stream<Path> all = Files.list(node.ledgerDirs().get(0).resolve("current"))) {
      return all.filter(path -> path.toString().endsWith(".log"))
          .filter(path -> Files.isSymbolicLink(path) == onFast)
          .count();
    }
  }

  /** The resources that it holds now. */
  Footprint footprint() throws IOException {
    return Footprint.of(node.server().pid());
  }

  /** Runs a command on its files; an error if it finds something wrong. */
  void headpond(String name) throws IOException, InterruptedException {
    configure();
    node.writeConfiguration();
    commands.run(name);
  }

  /** The same, killed after some time; whether it was still at work. */
  boolean headpondKilledAfter(String name, long millis) throws IOException, InterruptedException {
    configure();
    node.writeConfiguration();
    return commands.killAfter(name, millis);
  }

  /** Any thread: nothing runs any more, and nothing starts. */
  @Override
  public void close() {
    closed = true;
    commands.close();
    node.close();
  }
}
