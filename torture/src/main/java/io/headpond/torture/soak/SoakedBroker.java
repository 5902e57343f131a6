// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.demo.DemoPlace;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.process.Engine;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The broker of a soak: an unmodified Kafka with two tiers that are too small. One thread. */
final class SoakedBroker extends SoakedServer {
  private static final long FAST_BYTES = 48L << 20;

  private static final int LOG_DIRS = 2;
  private static final long SSD_BYTES = 96L << 20;
  private static final String THRESHOLD = "0.5";

  /** No segment is moved. */
  private static final String AT_REST = "-1";

  private static final Map<String, List<String>> CHOICES =
      Map.of(
          "headpond.durability", List.of("engine", "append"),
          "headpond.migrate.policy", List.of("freshness", "heat", "age"));

  private final List<Path> logDirs;
  private final PlugIn plugIn;
  private final KafkaNode node;

  /**
   * Formatted, not started.
   *
   * @param fast the fast tier's directory
   */
  SoakedBroker(DemoPlace place, Path fast, Random random) throws IOException, InterruptedException {
    this(place, logDirs(place), fast, random);
  }

  private static List<Path> logDirs(DemoPlace place) throws IOException {
    List<Path> logDirs = new ArrayList<>();
    for (int i = 1; i <= LOG_DIRS; i++) {
      logDirs.add(Files.createDirectories(place.home().resolve("kafka-logs-" + i)));
    }
    return logDirs;
  }

  private SoakedBroker(DemoPlace place, List<Path> logDirs, Path fast, Random random)
      throws IOException, InterruptedException {
    super(
        random,
        CHOICES,
        new OperatorCommands(
            place.broker(), logDirs.stream().map(Path::toString).map(List::of).toList()));
    this.logDirs = logDirs;
    plugIn = PlugIn.find(PlugIn.Start.AGENT);
    node = new KafkaNode(Engine.KAFKA.current(), 1, place.broker(), logDirs);
    // The heap's memory is taken at once, so that what else grows is seen.
    node.wholeHeap().jvmArgument("-XX:+AlwaysPreTouch");
    node.jvmArgument("-Dheadpond.internal.heat.half.life=5s")
        .jvmArgument("-Dheadpond.internal.up.after=2s")
        .jvmArgument("-Dheadpond.internal.maps.memory=true");
    Path ssd = Files.createDirectories(place.home().resolve("ssd"));
    node.set("headpond.tiers", "fast,ssd")
        .set("headpond.tier.fast.paths", fast.toString())
        .set("headpond.tier.fast.capacity", FAST_BYTES + "B")
        .set("headpond.tier.ssd.paths", ssd.toString())
        .set("headpond.tier.ssd.capacity", SSD_BYTES + "B")
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

  @Override
  String start() throws IOException, InterruptedException {
    return start(THRESHOLD);
  }

  /** The same, and no segment is moved. */
  String startAtRest() throws IOException, InterruptedException {
    return start(AT_REST);
  }

  private String start(String threshold) throws IOException, InterruptedException {
    return startDrawn(
        (java, settings) -> {
          settings.forEach(node::set);
          node.set("headpond.tier.fast.migrate.threshold", threshold)
              .set("headpond.tier.ssd.migrate.threshold", threshold)
              .java(java)
              .with(plugIn)
              .start();
        });
  }

  @Override
  void startVanilla() throws IOException, InterruptedException {
    checkOpen();
    node.vanilla().start();
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
    return node.running();
  }

  @Override
  String tail() throws IOException {
    return node.tail();
  }

  @Override
  long pid() {
    return node.pid();
  }

  @Override
  boolean copying() throws IOException {
    for (Path logDir : logDirs) {
      if (!LogDirScan.unfinishedMoves(logDir).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Segments of the log directories, in all tiers. */
  long segments() throws IOException {
    long[] count = new long[1];
    for (Path logDir : logDirs) {
      LogDirScan.scan(logDir, entry -> count[0]++);
    }
    return count[0];
  }

  @Override
  public void close() {
    super.close();
    try {
      if (node.running()) {
        node.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
