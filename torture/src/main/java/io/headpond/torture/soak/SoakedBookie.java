// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.layout.LogDirScan;
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
final class SoakedBookie extends SoakedServer {
  /** Room for new entry logs. */
  private static final long FAST_BYTES = 48L << 20;

  private static final int LOG_BYTES = 4 << 20;
  private static final String STORAGE = "ledgerStorageClass";
  private static final String TIERED = "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage";
  private static final String VANILLA = "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage";
  private static final String THRESHOLD = "headpond.ledger.migrate.threshold";

  private static final Map<String, List<String>> CHOICES =
      Map.of(
          "journalReuseFiles",
          List.of("true", "false"),
          "useTransactionalCompaction",
          List.of("true", "false"),
          THRESHOLD,
          List.of("0.25", "0.5"));

  private final BookieNode node;
  private final Path fast;
  private final JournalPlugIn plugIn;

  /**
   * Not started.
   *
   * @param fast where new entry logs are created
   */
  SoakedBookie(BookieNode node, Path fast, Random random) throws IOException {
    super(
        random,
        CHOICES,
        new OperatorCommands(
            node.server().folder(),
            List.of(List.of("--bookkeeper", node.configuration().toString()))));
    this.node = node;
    this.fast = fast;
    plugIn = JournalPlugIn.find();
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
        .compactSoon();
  }

  BookieNode node() {
    return node;
  }

  @Override
  String start() throws IOException, InterruptedException {
    return startDrawn(
        (java, settings) -> {
          configure();
          settings.forEach(node::set);
          node.java(java).start();
        });
  }

  private void configure() {
    node.with(plugIn)
        .set(STORAGE, TIERED)
        .set("headpond.ledger.fast.directories", fast.toString())
        .set("headpond.ledger.fast.capacity", FAST_BYTES + "B")
        .set(THRESHOLD, "0.5");
  }

  @Override
  void startVanilla() throws IOException, InterruptedException {
    checkOpen();
    node.vanilla().set(STORAGE, VANILLA).java(JavaHome.current()).start();
  }

  @Override
  void kill() throws IOException, InterruptedException {
    node.kill();
  }

  @Override
  void stop() throws IOException, InterruptedException {
    node.stop();
  }

  @Override
  boolean running() {
    return node.server().running();
  }

  @Override
  String tail() throws IOException {
    return node.server().tail();
  }

  @Override
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

  @Override
  long pid() {
    return node.server().pid();
  }

  /** They find the tier in its configuration. */
  @Override
  OperatorCommands commands() throws IOException {
    configure();
    node.writeConfiguration();
    return super.commands();
  }

  @Override
  public void close() {
    super.close();
    node.close();
  }
}
