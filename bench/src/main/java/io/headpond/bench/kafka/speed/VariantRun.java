// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.kafka.KafkaDistribution;
import io.headpond.bench.kafka.KafkaNode;
import io.headpond.bench.kafka.PlugIn;
import io.headpond.bench.kafka.Topics;
import io.headpond.store.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One fresh broker of one variant, its phases one after the other. */
final class VariantRun {

  private static final String WARM_UP = "bench-warm-up";
  private static final String LATENCY = "bench-latency";
  private static final String ROLL = "bench-roll";
  private static final String PRODUCE = "bench-produce";

  /** The smallest that Kafka takes. */
  private static final String ROLL_SEGMENT_BYTES = Integer.toString(1 << 20);

  /** What Kafka's own start script gives a broker. */
  private static final int HEAP_MIB = 1024;

  private static final List<String> JVM_ARGUMENTS =
      List.of(
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:+ExplicitGCInvokesConcurrent",
          "-XX:+PerfDisableSharedMem");

  private final KafkaBenchSettings settings;
  private final Variant variant;
  private final Load load;
  private final SpaceBudget space;
  private final KafkaNode node;
  private final RecordRing ring;
  private final Watch watch;
  private final String name;

  VariantRun(
      KafkaBenchSettings settings,
      KafkaDistribution kafka,
      BenchFolders folders,
      Variant variant,
      Load load,
      RecordRing ring,
      String name,
      Watch.Listener listener)
      throws IOException {
    this.settings = settings;
    this.variant = variant;
    this.load = load;
    this.ring = ring;
    this.name = name;
    this.space = SpaceBudget.of(settings, load);
    Path logDir = variant.logDirOnFast() ? folders.fast("kafka-logs") : folders.home("kafka-logs");
    this.node = new KafkaNode(kafka, 1, folders.home("broker"), List.of(logDir));
    this.watch = new Watch(node, listener);
    node.java(settings.java()).heapMiB(HEAP_MIB);
    JVM_ARGUMENTS.forEach(node::jvmArgument);
    if (variant.headpond()) {
      node.with(PlugIn.find(PlugIn.Start.AGENT))
          .set("headpond.tiers", "fast")
          .set("headpond.tier.fast.type", "pmem")
          .set("headpond.tier.fast.paths", folders.fast("tier").toString())
          .set("headpond.tier.fast.capacity", space.tierBytes() + "B")
          // What is measured is the append path.
          .set("headpond.tier.fast.migrate.threshold", "-1");
      if (variant == Variant.HEADPOND_MAPPED) {
        node.set("headpond.persist", "none");
      }
      if (settings.java().feature() >= 22) {
        node.jvmArgument("--enable-native-access=ALL-UNNAMED");
      }
    }
  }

  /** The broker, to be closed by the caller. */
  KafkaNode node() {
    return node;
  }

  /** Starts the broker, warms it up, and measures. */
  RunFigures run(int round) throws IOException, InterruptedException {
    watch.progress(name + ": starting");
    node.format().start();
    warmUp();
    MachineLoad machine = MachineLoad.soFar();
    CpuTime cpu = CpuTime.soFar(node);
    long start = System.nanoTime();
    LatencyFigures latency =
        settings.measures().contains(Measure.LATENCY) ? atRate("latency", LATENCY, Map.of()) : null;
    LatencyFigures roll =
        settings.measures().contains(Measure.ROLL)
            ? atRate("rolling", ROLL, Map.of("segment.bytes", ROLL_SEGMENT_BYTES))
                .withSegments(rolled())
            : null;
    ThroughputFigures produce = null;
    ThroughputFigures consume = null;
    if (settings.measures().contains(Measure.PRODUCE)) {
      createTopic(PRODUCE, Map.of());
      FullSpeed fullSpeed = new FullSpeed(node, PRODUCE, load, ring, watch, space.produceBytes());
      produce = fullSpeed.run(name + ": produce", settings.producers(), settings.seconds());
      if (settings.measures().contains(Measure.CONSUME)) {
        Fetching fetching = new Fetching(node, PRODUCE, settings.partitions(), ring, watch);
        fetching.verify(name + ": consume", fullSpeed.acknowledged());
        consume = fetching.run(name + ": consume", settings.seconds());
      }
    }
    double others =
        MachineLoad.soFar()
            .othersShare(
                machine,
                CpuTime.soFar(node).since(cpu),
                System.nanoTime() - start,
                Runtime.getRuntime().availableProcessors());
    return new RunFigures(
        load, round, variant, latency, roll, produce, consume, overflow(), others);
  }

  /** The code of broker and client gets compiled before anything is measured. */
  private void warmUp() throws IOException, InterruptedException {
    createTopic(WARM_UP, Map.of());
    FullSpeed produce = new FullSpeed(node, WARM_UP, load, ring, watch, space.warmUpBytes());
    produce.run(name + ": warm-up", settings.producers(), settings.warmUpSeconds());
    new Fetching(node, WARM_UP, settings.partitions(), ring, watch)
        .verify(name + ": warm-up", produce.acknowledged());
  }

  private LatencyFigures atRate(String phase, String topic, Map<String, String> topicSettings)
      throws IOException, InterruptedException {
    createTopic(topic, topicSettings);
    return new OpenLoop(node, topic, load, ring, watch)
        .run(
            name + ": " + phase,
            settings.rate(load),
            OpenLoop.rampSeconds(settings),
            settings.seconds());
  }

  private void createTopic(String topic, Map<String, String> topicSettings)
      throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(variant.topicSettings());
    all.putAll(topicSettings);
    Topics.create(node, topic, settings.partitions(), 1, all);
  }

  /** Segments of the topic that rolls, without the last of each partition. */
  private int rolled() throws IOException {
    int segments = 0;
    for (int p = 0; p < settings.partitions(); p++) {
      try (Stream<Path> files = Files.list(node.logDirs().get(0).resolve(ROLL + "-" + p))) {
        segments +=
            (int) files.filter(f -> f.getFileName().toString().endsWith(".log")).count() - 1;
      }
    }
    return segments;
  }

  /** A tier that wasn't used, or not for all, would make the comparison worthless. */
  private int overflow() throws IOException {
    if (variant != Variant.HEADPOND) {
      return 0;
    }
    int[] linkedAndPlain = new int[2];
    LogDirScan.scan(
        node.logDirs().get(0),
        entry -> {
          if (entry.partition().startsWith("bench-")) {
            linkedAndPlain[entry.linked() ? 0 : 1]++;
          }
        });
    if (linkedAndPlain[0] == 0) {
      throw new IOException("no segment is in the fast tier\n" + node.tail());
    }
    return linkedAndPlain[1];
  }
}
