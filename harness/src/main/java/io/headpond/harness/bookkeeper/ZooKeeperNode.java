// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.JavaServer;
import io.headpond.harness.process.Patience;
import io.headpond.harness.process.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The ZooKeeper that a BookKeeper release brings, one server, as a child process. */
public final class ZooKeeperNode implements AutoCloseable {

  private static final String DATA = "data";
  private static final Duration START_LIMIT = Patience.ofSeconds(60);
  private static final int POLL_MILLIS = 20;

  /** A session ends two ticks after its client's death at the earliest. */
  private static final int TICK_MILLIS = 500;

  /** For a bookie in an emulated processor, which may be silent for long. */
  private static final int SESSION_MILLIS_MAX = 40_000;

  private final JavaServer server;
  private final int port;
  private final Path configuration;

  /**
   * @param folder holds its data and its output
   */
  public ZooKeeperNode(EngineRelease bookKeeper, JavaHome java, Path folder) throws IOException {
    this.server =
        new JavaServer("ZooKeeper", folder)
            .java(java)
            .classPath(bookKeeper.jars())
            .jvmArguments("-Xms64m", "-Xmx128m", "-XX:+UseSerialGC");
    this.port = Ports.free(1)[0];
    this.configuration = server.folder().resolve("zoo.cfg");
  }

  /** Starts it and waits until it serves clients. */
  public ZooKeeperNode start() throws IOException, InterruptedException {
    Files.write(
        configuration,
        List.of(
            "tickTime=" + TICK_MILLIS,
            "maxSessionTimeout=" + SESSION_MILLIS_MAX,
            "dataDir=" + server.folder().resolve(DATA),
            "clientPort=" + port,
            "clientPortAddress=127.0.0.1",
            "maxClientCnxns=0",
            // Its state needn't outlive a power cut, and its forces would disturb measurements.
            "forceSync=no",
            "admin.enableServer=false"),
        StandardCharsets.UTF_8);
    server.launch("org.apache.zookeeper.server.ZooKeeperServerMain", configuration.toString());
    server.awaitListening(port, START_LIMIT);
    awaitAnswer();
    return this;
  }

  /** It listens before it has read its data, and closes each connection until then. */
  private void awaitAnswer() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        created("/zookeeper");
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline || server.endsWithin(POLL_MILLIS)) {
          throw new IOException("ZooKeeper doesn't answer\n" + server.tail(), e);
        }
      }
    }
  }

  /** The address for clients, as {@code 127.0.0.1:2181}. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** As {@code metadataServiceUri} of a bookie or a client of the cluster below {@code root}. */
  public String metadataUri(String root) {
    return "zk+hierarchical://" + address() + root;
  }

  /** The transaction that created a node of its tree; -1 if there is none. */
  public long created(String path) throws IOException {
    return ZooKeeperQuery.created(port, path);
  }

  /** Removes a node of its tree, if it is there. */
  public void delete(String path) throws IOException {
    ZooKeeperQuery.delete(port, path);
  }

  /** Copies its data as they are on disk now, to be the folder of another server. */
  public void copyTo(Path folder) throws IOException {
    Path data = server.folder().resolve(DATA);
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.toList()) {
        Path copy = folder.resolve(DATA).resolve(data.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
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
