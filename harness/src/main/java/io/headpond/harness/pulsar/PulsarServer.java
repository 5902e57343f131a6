// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.JavaServer;
import io.headpond.harness.process.Ports;
import io.headpond.harness.process.PropertiesFile;
import io.headpond.harness.process.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A Pulsar broker, or a Pulsar standalone (broker, bookie and metadata in one JVM), run as a child
 * process that can be started, stopped, killed and started again over the same directories. Its
 * ports stay the same over its lives. Not safe for use by several threads.
 */
public final class PulsarServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(180);
  private static final String CLUSTER = "headpond";

  private final EngineRelease release;
  private final JavaServer server;
  private final Path configuration;
  private final int port;
  private final int webPort;
  private final boolean standalone;
  private final List<String> arguments = new ArrayList<>();
  private final TreeMap<String, String> properties = new TreeMap<>();
  private JournalPlugIn plugIn;

  private PulsarServer(EngineRelease release, String name, Path folder, boolean standalone)
      throws IOException {
    this.release = release;
    this.standalone = standalone;
    this.server = new JavaServer(name, folder);
    this.configuration = server.folder().resolve(standalone ? "standalone.conf" : "broker.conf");
    int[] ports = Ports.free(2);
    this.port = ports[0];
    this.webPort = ports[1];
    // What Pulsar's own start script opens for its JVM.
    server.jvmArguments(
        "-Xms128m",
        "-Xmx512m",
        "-XX:MaxDirectMemorySize=512m",
        "-Dio.netty.leakDetectionLevel=disabled",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dpulsar.allocator.exit_on_oom=true",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.platform=ALL-UNNAMED",
        "--add-opens=java.base/sun.net=ALL-UNNAMED",
        "--add-opens=java.management/sun.management=ALL-UNNAMED");
    defaults();
  }

  /**
   * A broker alone.
   *
   * @param folder holds its configuration and its output
   * @param metadataStoreUrl as {@code zk:127.0.0.1:2181}
   */
  public static PulsarServer broker(EngineRelease release, Path folder, String metadataStoreUrl)
      throws IOException {
    PulsarServer server = new PulsarServer(release, "Pulsar broker", folder, false);
    server.set("metadataStoreUrl", metadataStoreUrl);
    server.set("configurationMetadataStoreUrl", metadataStoreUrl);
    server.arguments.addAll(List.of("--broker-conf", server.configuration.toString()));
    return server;
  }

  /**
   * A standalone, whose bookie keeps journal and ledgers in one directory whatever its
   * configuration says.
   *
   * @param folder holds its configuration, its metadata and its output
   * @param bookkeeperDir journal and ledgers
   */
  public static PulsarServer standalone(EngineRelease release, Path folder, Path bookkeeperDir)
      throws IOException {
    PulsarServer server = new PulsarServer(release, "Pulsar standalone", folder, true);
    server.arguments.addAll(
        List.of(
            "-c",
            server.configuration.toString(),
            "--no-functions-worker",
            "--no-stream-storage",
            "--advertised-address",
            "127.0.0.1",
            "--bookkeeper-dir",
            bookkeeperDir.toAbsolutePath().toString(),
            "--metadata-dir",
            server.server.folder().resolve("metadata").toString()));
    // From 5.0 on the bookie chooses a port at each start, and keeps its name.
    if (!release.isAtLeast(5, 0)) {
      server.arguments.addAll(List.of("--bookkeeper-port", Integer.toString(Ports.free(1)[0])));
    }
    server.set("allowLoopback", "true");
    server.set("allowEphemeralPorts", "true");
    server.set("prometheusStatsHttpPort", "0");
    server.set("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
    server.set("dbStorage_writeCacheMaxSizeMb", "64");
    server.set("dbStorage_readAheadCacheMaxSizeMb", "16");
    server.set("dbStorage_rocksDB_blockCacheSize", Integer.toString(16 << 20));
    server.set("diskUsageThreshold", "0.99");
    server.set("diskUsageWarnThreshold", "0.99");
    return server;
  }

  private void defaults() {
    set("clusterName", CLUSTER);
    set("brokerServicePort", Integer.toString(port));
    set("webServicePort", Integer.toString(webPort));
    set("bindAddress", "127.0.0.1");
    set("advertisedAddress", "127.0.0.1");
    set("managedLedgerDefaultEnsembleSize", "1");
    set("managedLedgerDefaultWriteQuorum", "1");
    set("managedLedgerDefaultAckQuorum", "1");
    // What is read comes from the bookie, never from the broker's memory of what it wrote.
    set("managedLedgerCacheSizeMB", "0");
    // What both subscriptions have acknowledged stays, to be compared.
    set("defaultRetentionTimeInMinutes", "-1");
    set("defaultRetentionSizeInMB", "-1");
    set("brokerDeleteInactiveTopicsEnabled", "false");
    set("numIOThreads", "2");
    set("numHttpServerThreads", "4");
    set("numOrderedExecutorThreads", "2");
    set("bookkeeperNumberOfChannelsPerBookie", "2");
    set("metadataStoreSessionTimeoutMillis", "10000");
    set("brokerShutdownTimeoutMs", "10000");
    set("loadBalancerEnabled", "false");
    set("functionsWorkerEnabled", "false");
    set("webSocketServiceEnabled", "false");
    set("systemTopicEnabled", "false");
    set("topicLevelPoliciesEnabled", "false");
    set("transactionCoordinatorEnabled", "false");
  }

  /** Sets a key of its configuration; counts from the next start. */
  public PulsarServer set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** The Java that runs it from the next start on. */
  public PulsarServer java(JavaHome home) {
    server.java(home);
    return this;
  }

  /** From the next start on the journal of a standalone's bookie is Headpond's. */
  public PulsarServer with(JournalPlugIn headpond) {
    this.plugIn = headpond;
    return set("journalChannelProvider", JournalPlugIn.PROVIDER);
  }

  /**
   * Creates the metadata of cluster, bookies and the namespace {@code public/default}, as {@code
   * pulsar initialize-cluster-metadata} does. A standalone does it itself.
   */
  public PulsarServer initialiseMetadata() throws IOException, InterruptedException {
    prepare();
    String metadata = properties.get("metadataStoreUrl");
    ToolRun run =
        server.tool(
            "org.apache.pulsar.PulsarClusterMetadataSetup",
            "--cluster",
            CLUSTER,
            "--metadata-store",
            metadata,
            "--configuration-metadata-store",
            metadata,
            "--web-service-url",
            webUrl(),
            "--broker-service-url",
            serviceUrl());
    if (run.exitCode() != 0) {
      throw new IOException(
          "initialising Pulsar's metadata failed with " + run.exitCode() + ":\n" + run.output());
    }
    return this;
  }

  /** Starts it and waits until it serves the namespace {@code public/default}. */
  public PulsarServer start() throws IOException, InterruptedException {
    launch();
    awaitReady();
    return this;
  }

  /** Starts it without waiting. */
  public PulsarServer launch() throws IOException {
    prepare();
    server.launch(
        standalone
            ? "org.apache.pulsar.PulsarStandaloneStarter"
            : "org.apache.pulsar.PulsarBrokerStarter",
        arguments.toArray(String[]::new));
    return this;
  }

  /** Waits until it serves the namespace {@code public/default}. */
  public void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    server.awaitListening(webPort, START_LIMIT);
    server.awaitListening(port, START_LIMIT);
    while (!admin().serves()) {
      if (!server.running()) {
        throw new IOException("Pulsar ended at its start\n" + server.tail());
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "Pulsar wasn't ready after " + START_LIMIT.toSeconds() + " s\n" + server.tail());
      }
      Thread.sleep(50);
    }
  }

  private void prepare() throws IOException {
    PropertiesFile.write(configuration, properties);
    server.classPath(JournalPlugIn.classPath(plugIn, release));
  }

  /** SIGTERM: a clean shutdown. */
  public void stop() throws IOException, InterruptedException {
    server.stop();
  }

  /** SIGKILL: what a crash of the process leaves behind. */
  public void kill() throws IOException, InterruptedException {
    server.kill();
  }

  /** The URL for clients. */
  public String serviceUrl() {
    return "pulsar://127.0.0.1:" + port;
  }

  /** The URL of its REST interface. */
  public String webUrl() {
    return "http://127.0.0.1:" + webPort;
  }

  /** Its REST interface. */
  public PulsarAdmin admin() {
    return new PulsarAdmin(webUrl());
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
