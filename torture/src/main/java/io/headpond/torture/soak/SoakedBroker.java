// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.demo.DemoPlace;
import io.headpond.cli.logdir.OwnerLives;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.Count;
import io.headpond.store.layout.LogDirScan;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The broker of a soak: an unmodified Kafka with two tiers that are too small. One thread. */
final class SoakedBroker implements Closeable {
  static final long FAST_BYTES = 48L << 20;

  private static final long SSD_BYTES = 96L << 20;
  private static final String THRESHOLD = "0.5";

  /** Each is as right as the others; they are drawn anew for each start. */
  private static final Map<String, List<String>> DRAWN =
      Map.of(
          "headpond.durability", List.of("engine", "append"),
          "headpond.migrate.policy", List.of("freshness", "heat", "age"),
          "headpond.migrate.up.after", List.of("0s", "2s"),
          "headpond.persist", List.of("none", "msync", "write"),
          "headpond.tier.fast.pool", List.of("0B", "8MiB"));

  private final DemoPlace place;
  private final Random random;
  private final PlugIn plugIn;
  private final KafkaNode node;
  private final OwnerLives lives;
  private final List<JavaHome> javas = JavaHome.installed();
  private final OperatorCommands commands;
  private volatile boolean closed;

  /**
   * Formatted, not started.
   *
   * @param fast the fast tier's directory
   */
  SoakedBroker(DemoPlace place, Path fast, Random random) throws IOException, InterruptedException {
    this.place = place;
    this.random = random;
    plugIn = PlugIn.find(PlugIn.Start.AGENT);
    lives = new OwnerLives(fast);
    commands = new OperatorCommands(place.broker(), place.logDir().toString());
    node = new KafkaNode(Engine.KAFKA.current(), 1, place.broker(), List.of(place.logDir()));
    Path ssd = Files.createDirectories(place.home().resolve("ssd"));
    node.set("headpond.tiers", "fast,ssd")
        .set("headpond.tier.fast.paths", fast.toString())
        .set("headpond.tier.fast.capacity", FAST_BYTES + "B")
        .set("headpond.tier.ssd.type", "file")
        .set("headpond.tier.ssd.paths", ssd.toString())
        .set("headpond.tier.ssd.capacity", SSD_BYTES + "B")
        .set("headpond.migrate.heat.half.life", "5s")
        .set("headpond.migrate.age", "20s")
        // A copy takes long enough to be met by a kill.
        .set("headpond.migrate.bytes.per.second", "24MiB")
        .set("broker.session.timeout.ms", "2000")
        .set("broker.heartbeat.interval.ms", "200")
        .set("log.cleaner.backoff.ms", "500")
        .set("log.cleaner.dedupe.buffer.size", "16777216")
        .format();
  }

  KafkaNode node() {
    return node;
  }

  /** Starts it with Headpond, other settings and perhaps another Java; says which. */
  String start(boolean moves) throws IOException, InterruptedException {
    JavaHome java = javas.get(random.nextInt(javas.size()));
    StringBuilder drawn = new StringBuilder("Java " + java.feature());
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
    String threshold = moves ? THRESHOLD : "-1";
    node.set("headpond.tier.fast.migrate.threshold", threshold)
        .set("headpond.tier.ssd.migrate.threshold", threshold);
    launch(node.java(java).with(plugIn));
    return drawn.toString();
  }

  /** Starts unmodified Kafka. */
  void startVanilla() throws IOException, InterruptedException {
    launch(node.vanilla());
  }

  private void launch(KafkaNode configured) throws IOException, InterruptedException {
    if (closed) {
      throw new IOException("interrupted");
    }
    configured.start();
  }

  void kill() throws IOException, InterruptedException {
    lives.look();
    node.kill();
  }

  void stop() throws IOException, InterruptedException {
    lives.look();
    node.stop();
  }

  /** Is a segment being copied? */
  boolean copying() throws IOException {
    return !LogDirScan.unfinishedMoves(place.logDir()).isEmpty();
  }

  /** Segments of the log directory, in all tiers. */
  long segments() throws IOException {
    long[] count = new long[1];
    LogDirScan.scan(place.logDir(), entry -> count[0]++);
    return count[0];
  }

  /** A counter of the plug-in, over all lives, as far as seen. */
  long counted(Count count) throws IOException {
    lives.look();
    return lives.sum(count);
  }

  /** Runs {@code headpond COMMAND LOGDIR}; an error if it finds something wrong. */
  void headpond(String name) throws IOException, InterruptedException {
    commands.run(name);
  }

  /** The same, killed after some time; whether it was still at work. */
  boolean headpondKilledAfter(String name, long millis) throws IOException, InterruptedException {
    return commands.killAfter(name, millis);
  }

  /** Any thread: nothing runs any more, and nothing starts. */
  @Override
  public void close() {
    closed = true;
    commands.close();
    try {
      if (node.running()) {
        node.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
