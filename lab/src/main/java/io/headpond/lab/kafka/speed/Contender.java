// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.OthersShare;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.load.TopicCheck;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.lab.kafka.variant.Watch;
import io.headpond.lab.place.BenchFolders;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The broker of one variant, alive beside those of the others; each takes its turns while the
 * others are idle.
 */
final class Contender {

  private static final String TOPIC_PREFIX = "bench-";
  private static final String WARM_UP = TOPIC_PREFIX + "warm-up";
  private static final String LATENCY = TOPIC_PREFIX + "latency";
  private static final String ROLL = TOPIC_PREFIX + "roll";
  private static final String PRODUCE = TOPIC_PREFIX + "produce";

  /** The smallest that Kafka takes. */
  private static final String ROLL_SEGMENT_BYTES = Integer.toString(1 << 20);

  private final KafkaBenchSettings settings;
  private final VariantBroker broker;
  private final Load load;
  private final SpaceBudget space;
  private final KafkaNode node;
  private final RecordRing ring;
  private final Watch watch;
  private String turn = "";
  private final OthersShare othersShare;
  private int overflowed;

  Contender(
      KafkaBenchSettings settings,
      EngineRelease kafka,
      BenchFolders folders,
      Variant variant,
      Load load,
      RecordRing ring,
      Consumer<String> progress)
      throws IOException {
    this.settings = settings;
    this.load = load;
    this.ring = ring;
    this.space = SpaceBudget.of(settings, load);
    this.broker = new VariantBroker(kafka, settings.java(), folders, variant, space.tierBytes());
    this.node = broker.node();
    this.watch = new Watch(node, progress);
    this.othersShare = new OthersShare(() -> CpuTime.besideThisProcess(node.cpuTime()));
  }

  Variant variant() {
    return broker.variant();
  }

  /** The broker, to be closed by the caller. */
  KafkaNode node() {
    return node;
  }

  /** Starts the broker. */
  void start() throws IOException, InterruptedException {
    watch.progress(variant() + ": starting");
    broker.start();
  }

  /**
   * The code of broker and client gets compiled before anything is measured: as it is used at full
   * speed and at a fixed rate, again and again, for one topic's share of the space is soon full.
   */
  void warmUp() throws IOException, InterruptedException {
    turn("warm-up");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(settings.warmUpSeconds());
    do {
      createTopic(WARM_UP, Map.of());
      FullSpeed produce = new FullSpeed(node, WARM_UP, load, ring, watch, space.warmUpBytes());
      produce.run(turn, settings.producers(), settings.warmUpSeconds());
      new TopicCheck(node, WARM_UP, settings.partitions(), ring, watch)
          .verify(turn, produce.acknowledged());
      atRate(WARM_UP);
      deleteTopic(WARM_UP);
    } while (System.nanoTime() - end < 0);
  }

  /** Names what is being done, for whoever looks on. */
  private void turn(String what) {
    turn = variant() + ", " + load.recordBytes() + " B, " + what;
  }

  /** Its turn of the phase at a fixed rate. */
  LatencyFigures latency(String round) throws IOException, InterruptedException {
    turn(round + ", latency");
    createTopic(LATENCY, Map.of());
    othersShare.begin();
    LatencyFigures figures = atRate(LATENCY);
    othersShare.end();
    deleteTopic(LATENCY);
    return figures;
  }

  /** Its turn of the phase at a fixed rate with small segments. */
  LatencyFigures roll(String round) throws IOException, InterruptedException {
    turn(round + ", rolling");
    createTopic(ROLL, Map.of("segment.bytes", ROLL_SEGMENT_BYTES));
    othersShare.begin();
    LatencyFigures figures = atRate(ROLL).withSegments(rolled());
    othersShare.end();
    deleteTopic(ROLL);
    return figures;
  }

  /** Its turn at full speed: producing and, if wanted, consuming (otherwise null) what it wrote. */
  ThroughputFigures[] fullSpeed(String round) throws IOException, InterruptedException {
    turn(round + ", produce");
    createTopic(PRODUCE, Map.of());
    othersShare.begin();
    FullSpeed fullSpeed = new FullSpeed(node, PRODUCE, load, ring, watch, space.produceBytes());
    ThroughputFigures produce = fullSpeed.run(turn, settings.producers(), settings.seconds());
    ThroughputFigures consume = null;
    if (settings.measures().contains(Measure.CONSUME)) {
      turn(round + ", consume");
      new TopicCheck(node, PRODUCE, settings.partitions(), ring, watch)
          .verify(turn, fullSpeed.acknowledged());
      consume =
          new Fetching(node, PRODUCE, settings.partitions(), watch).run(turn, settings.seconds());
    }
    othersShare.end();
    overflowed += overflow();
    deleteTopic(PRODUCE);
    return new ThroughputFigures[] {produce, consume};
  }

  /** The largest share of the processors that something else used in one of its turns, 0 to 1. */
  double othersShareMax() {
    return othersShare.max();
  }

  /** Segments of the phases at full speed so far that weren't in the fast tier. */
  int overflowed() {
    return overflowed;
  }

  private LatencyFigures atRate(String topic) throws IOException, InterruptedException {
    return new OpenLoop(node, topic, load, ring, watch)
        .run(turn, settings.rate(load), OpenLoop.rampSeconds(settings), settings.seconds());
  }

  private void createTopic(String topic, Map<String, String> topicSettings)
      throws IOException, InterruptedException {
    broker.createTopic(topic, settings.partitions(), topicSettings);
  }

  private void deleteTopic(String topic) throws IOException, InterruptedException {
    broker.deleteTopic(topic, watch, turn);
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
    if (variant() != Variant.HEADPOND) {
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
