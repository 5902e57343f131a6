// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.rig;

import io.headpond.harness.process.JavaServer;
import io.headpond.harness.pulsar.PulsarCluster;
import io.headpond.harness.pulsar.PulsarProducers;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.bookkeeper.variant.VariantBookie;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.scenario.ClientLoad;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.RunningLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * ZooKeeper, bookie and broker of one variant, and producers in a process of their own. Each load
 * has a topic without partitions, whatever its point says, with one copy of each message.
 */
public final class PulsarRig implements Rig {

  /** A batch holds up to a thousand messages; several batches are under way. */
  private static final int FULL_SPEED_WINDOW_MAX = 10_000;

  private final JournalVariant variant;
  private final RigSettings settings;
  private final Path clientFolder;
  private final PulsarCluster cluster;
  private volatile PulsarProducers producers;

  /**
   * Nothing runs yet.
   *
   * @param home gets everything but the journal
   * @param journal the bookie's journal directory
   */
  PulsarRig(JournalVariant variant, RigSettings settings, Path home, Path journal)
      throws IOException {
    this.variant = variant;
    this.settings = settings;
    this.clientFolder = home.resolve("client");
    this.cluster =
        new PulsarCluster(
            settings.release(), settings.java(), home, journal, home.resolve("ledgers"));
    VariantBookie.configure(cluster.bookie(), variant);
    // Pulsar's own start script gives a broker 2 and 4 GiB; here three of them run side by side.
    broker().jvmArguments("-Xms1g", "-Xmx1g", "-XX:MaxDirectMemorySize=1g");
  }

  private JavaServer broker() {
    return cluster.broker().server();
  }

  private JavaServer bookie() {
    return cluster.bookie().server();
  }

  @Override
  public JournalVariant variant() {
    return variant;
  }

  @Override
  public void start() throws IOException, InterruptedException {
    cluster.start();
    producers =
        new PulsarProducers(settings.release(), settings.java(), clientFolder, cluster.broker());
  }

  @Override
  public RunningLoad begin(Point point) throws IOException, InterruptedException {
    return ClientLoad.begin(producers, point, FULL_SPEED_WINDOW_MAX, settings.pointBytesMax());
  }

  @Override
  public Duration quiet() {
    return VariantBookie.QUIET;
  }

  /** The engine's is that of bookie and broker. */
  @Override
  public CpuTime cpu() {
    return new CpuTime(
        bookie().cpuTime().plus(broker().cpuTime()),
        producers == null ? Duration.ZERO : producers.cpuTime());
  }

  @Override
  public void check() throws IOException {
    for (JavaServer server : new JavaServer[] {bookie(), broker()}) {
      if (!server.running()) {
        throw new IOException("a Pulsar ended while it was measured\n" + server.tail());
      }
    }
  }

  @Override
  public void close() throws IOException {
    PulsarProducers connected = producers;
    if (connected != null) {
      connected.close();
    }
    try {
      cluster.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cluster.close();
    }
  }
}
