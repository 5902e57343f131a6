// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.JavaServer;
import io.headpond.harness.process.Patience;
import io.headpond.harness.process.Ports;
import io.headpond.harness.process.PropertiesFile;
import io.headpond.harness.process.ToolRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One bookie, run as a child process that can be started, stopped, killed and started again over
 * the same directories, with the plug-in or without it. Its port, and so its name in the cluster,
 * stays the same over its lives. Not safe for use by several threads.
 */
public final class BookieNode implements AutoCloseable {

  private static final Duration START_LIMIT = Patience.ofSeconds(120);
  private static final int POLL_MILLIS = 50;

  /** BookKeeper logs it and leaves a process that listens, but serves nobody. */
  public static final String REPLAY_FAILED = "Exception while replaying journals, shutting down";

  /** The main class of a bookie; its arguments are {@code -c} and a configuration. */
  public static final String MAIN_CLASS = "org.apache.bookkeeper.server.Main";

  /** The JVM options of BookKeeper's own start script, besides sizes of memory. */
  public static final List<String> JVM_ARGUMENTS =
      List.of(
          // The address of the interface lo is then 127.0.0.1.
          "-Djava.net.preferIPv4Stack=true",
          "-Dio.netty.leakDetectionLevel=disabled",
          "-Dio.netty.tryReflectionSetAccessible=true",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

  private static final List<String> LITTLE_MEMORY =
      List.of("-Xms128m", "-Xmx384m", "-XX:MaxDirectMemorySize=512m");

  /** {@code bin/common.sh} of BookKeeper 4.16 to 4.18; later arguments win. */
  private static final List<String> MEMORY_AS_SHIPPED =
      List.of("-Xms1g", "-Xmx1g", "-XX:MaxDirectMemorySize=2g");

  private final EngineRelease release;
  private final ZooKeeperNode zooKeeper;
  private final String root;
  private final JavaServer server;
  private final Path configuration;
  private final List<Path> journalDirs;
  private final List<Path> ledgerDirs;
  private final TreeMap<String, String> properties = new TreeMap<>();
  private final int port;
  private JournalPlugIn plugIn;
  private long registeredBefore = -1;
  private long logBefore;

  /**
   * An unmodified bookie, with the settings of a fast journal.
   *
   * @param folder holds its configuration and its output
   * @param root of its cluster's metadata in ZooKeeper, as {@code /ledgers}
   * @param journalDirs its {@code journalDirectories}
   * @param ledgerDirs its {@code ledgerDirectories}
   */
  public BookieNode(
      EngineRelease release,
      String name,
      Path folder,
      ZooKeeperNode zooKeeper,
      String root,
      List<Path> journalDirs,
      List<Path> ledgerDirs)
      throws IOException {
    this.release = release;
    this.zooKeeper = zooKeeper;
    this.root = root;
    this.server = new JavaServer(name, folder);
    this.configuration = server.folder().resolve("bk_server.conf");
    this.journalDirs = journalDirs.stream().map(Path::toAbsolutePath).toList();
    this.ledgerDirs = ledgerDirs.stream().map(Path::toAbsolutePath).toList();
    this.port = Ports.free(1)[0];
    server.jvmArguments(JVM_ARGUMENTS.toArray(String[]::new));
    defaults(zooKeeper.metadataUri(root));
    littleMemory();
  }

  private void defaults(String metadataUri) {
    set("bookiePort", Integer.toString(port));
    set("advertisedAddress", "127.0.0.1");
    set("listeningInterface", "lo");
    set("allowLoopback", "true");
    set("metadataServiceUri", metadataUri);
    // After a kill the bookie waits at its start until the session of its former life has ended.
    set("zkTimeout", "2000");
    set("journalDirectories", joined(journalDirs));
    set("ledgerDirectories", joined(ledgerDirs));
    set("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
    set("autoRecoveryDaemonEnabled", "false");
    set("httpServerEnabled", "false");
    // The defaults wait 2 ms for company, on any device.
    set("journalMaxGroupWaitMSec", "0");
    set("journalFlushWhenQueueEmpty", "true");
    set("journalRemoveFromPageCache", "false");
    set("journalMaxSizeMB", "256");
    set("journalPreAllocSizeMB", "16");
    set("journalMaxBackups", "1");
  }

  private static String joined(List<Path> dirs) {
    return dirs.stream().map(Path::toString).collect(Collectors.joining(","));
  }

  /** Sets a key of {@code bk_server.conf}; counts from the next start. */
  public BookieNode set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** Compacts each log of which a fifth is dead, a second later, at a rate that takes seconds. */
  public BookieNode compactSoon() {
    return set("gcWaitTime", "500")
        .set("minorCompactionThreshold", "0")
        .set("majorCompactionInterval", "1")
        .set("majorCompactionThreshold", "0.8")
        .set("isThrottleByBytes", "true")
        .set("compactionRateByBytes", Integer.toString(4 << 20));
  }

  /** Takes a key out of {@code bk_server.conf}; counts from the next start. */
  public BookieNode unset(String key) {
    properties.remove(key);
    return this;
  }

  /** The Java that runs it from the next start on. */
  public BookieNode java(JavaHome home) {
    server.java(home);
    return this;
  }

  /**
   * Gives it the memory that BookKeeper's own start script does, and so BookKeeper's own caches:
   * half a GiB is written before a flush must come. Before, it has {@link #littleMemory}.
   */
  public BookieNode memoryAsShipped() {
    server.jvmArguments(MEMORY_AS_SHIPPED.toArray(String[]::new));
    unset("dbStorage_writeCacheMaxSizeMb");
    unset("dbStorage_readAheadCacheMaxSizeMb");
    return unset("dbStorage_rocksDB_blockCacheSize");
  }

  /** Gives it what a test needs, and one of several bookies that aren't kept busy. */
  public BookieNode littleMemory() {
    server.jvmArguments(LITTLE_MEMORY.toArray(String[]::new));
    set("dbStorage_writeCacheMaxSizeMb", "128");
    set("dbStorage_readAheadCacheMaxSizeMb", "32");
    return set("dbStorage_rocksDB_blockCacheSize", Integer.toString(16 << 20));
  }

  /** From the next start on its journal is Headpond's. */
  public BookieNode with(JournalPlugIn headpond) {
    this.plugIn = headpond;
    set("journalChannelProvider", JournalPlugIn.PROVIDER);
    return this;
  }

  /** From the next start on it is unmodified BookKeeper. */
  public BookieNode vanilla() {
    this.plugIn = null;
    unset("journalChannelProvider");
    properties.keySet().removeIf(key -> key.startsWith("headpond."));
    return this;
  }

  /** Creates the cluster's metadata in ZooKeeper, as {@code bookkeeper shell initnewcluster}. */
  public BookieNode initNewCluster() throws IOException, InterruptedException {
    ToolRun run = shell("initnewcluster");
    if (run.exitCode() != 0) {
      throw new IOException(
          "initnewcluster failed with " + run.exitCode() + ":\n" + run.output() + server.tail());
    }
    return this;
  }

  /** Runs {@code bookkeeper shell} with this bookie's configuration. */
  public ToolRun shell(String... arguments) throws IOException, InterruptedException {
    prepare();
    List<String> all = new ArrayList<>(List.of("-conf", configuration.toString()));
    all.addAll(List.of(arguments));
    return server.tool("org.apache.bookkeeper.bookie.BookieShell", all.toArray(String[]::new));
  }

  /** Starts it and waits until it serves clients. */
  public BookieNode start() throws IOException, InterruptedException {
    launch();
    awaitReady();
    return this;
  }

  /** Starts it without waiting. */
  public BookieNode launch() throws IOException {
    prepare();
    registeredBefore = registered();
    logBefore = Files.exists(server.log()) ? Files.size(server.log()) : 0;
    server.launch(MAIN_CLASS, "-c", configuration.toString());
    return this;
  }

  /**
   * Waits until it has registered itself in ZooKeeper, which it does after it has replayed its
   * journal; it listens before. An error if it ends before, can't replay its journal (it goes on as
   * a process that does nothing then) or takes too long.
   */
  public void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!serves()) {
      boolean ended = server.endsWithin(POLL_MILLIS);
      if (ended || replayFailed() || System.nanoTime() > deadline) {
        server.close();
        throw new IOException(
            (ended ? "the bookie ended at its start" : "the bookie doesn't start")
                + "\n"
                + server.tail());
      }
    }
  }

  /** True if it has registered itself since its last launch, and so serves clients. */
  public boolean serves() throws IOException {
    long registration = registered();
    return registration != -1 && registration != registeredBefore;
  }

  /** The transaction of its registration, as writable or read-only; -1: it isn't registered. */
  public long registered() throws IOException {
    long writable = zooKeeper.created(root + "/available/" + id());
    return writable != -1 ? writable : zooKeeper.created(root + "/available/readonly/" + id());
  }

  private boolean replayFailed() throws IOException {
    if (!Files.exists(server.log())) {
      return false;
    }
    try (InputStream log = Files.newInputStream(server.log())) {
      log.skipNBytes(Math.min(logBefore, Files.size(server.log())));
      return new String(log.readAllBytes(), StandardCharsets.UTF_8).contains(REPLAY_FAILED);
    }
  }

  private void prepare() throws IOException {
    for (Path dir : journalDirs) {
      Files.createDirectories(dir);
    }
    for (Path dir : ledgerDirs) {
      Files.createDirectories(dir);
    }
    writeConfiguration();
    server.classPath(JournalPlugIn.classPath(plugIn, release));
  }

  /** Writes {@link #configuration} as the next start would find it. */
  public void writeConfiguration() throws IOException {
    PropertiesFile.write(configuration, properties);
  }

  /** SIGTERM: a clean shutdown. */
  public void stop() throws IOException, InterruptedException {
    server.stop();
  }

  /** SIGKILL: what a crash of the process leaves behind. */
  public void kill() throws IOException, InterruptedException {
    server.kill();
  }

  /** Its name in the cluster. */
  public String id() {
    return properties.getOrDefault("bookieId", "127.0.0.1:" + port);
  }

  /** The port that it serves clients on. */
  public int port() {
    return port;
  }

  /** Its {@code journalDirectories}; the files lie in {@code current} below each. */
  public List<Path> journalDirs() {
    return journalDirs;
  }

  /** Its {@code ledgerDirectories}; the files lie in {@code current} below each. */
  public List<Path> ledgerDirs() {
    return ledgerDirs;
  }

  /** The {@code bk_server.conf} that it was last started with. */
  public Path configuration() {
    return configuration;
  }

  /** The process. */
  public JavaServer server() {
    return server;
  }

  @Override
  public void close() {
    server.close();
  }
}
