// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.process.PropertiesFile;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.load.Rereading;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.lab.kafka.variant.Watch;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RunningLoad;
import io.headpond.lab.scenario.TierBytes;
import io.headpond.lab.scenario.TierState;
import io.headpond.store.facts.Count;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** One broker of one variant, whose topics are made for each load and removed after it. */
public final class KafkaRig implements Rig {

  /** The prefix of all topics' names. */
  public static final String TOPIC_PREFIX = "bench-";

  /** The file of the plug-in's counters. */
  private static final String COUNTERS = ".headpond.live";

  /** Columns of a topic's counters. */
  private static final int APPENDED = 2;

  private static final int READ = 3;

  private final VariantBroker broker;
  private final KafkaNode node;
  private final Producers producers;
  private final long pointBytesMax;
  private final boolean tight;
  private Map<String, String> topicSettings = Map.of();
  private IntFunction<RecordRing> rings;
  private final Watch watch;
  private LoadHosts hosts;
  private KafkaHostsLoad onHosts;
  private Backlog kept;
  private int points;

  /**
   * Nothing runs yet.
   *
   * @param producers of what is sent
   * @param pointBytesMax what one load may send, backlog apart; then it ends early
   * @param tier of the broker, if it is Headpond's
   * @param rings records by their size
   * @param progress told what goes on
   */
  public KafkaRig(
      VariantBroker broker,
      Producers producers,
      long pointBytesMax,
      KafkaTier tier,
      IntFunction<RecordRing> rings,
      Consumer<String> progress) {
    this.broker = broker;
    this.node = broker.node();
    this.producers = producers;
    this.pointBytesMax = pointBytesMax;
    this.tight = tier.isTight();
    this.rings = rings;
    this.watch = new Watch(node, progress);
    tier.configure(broker);
  }

  /** Sends these records from now on, which have the size that the points name. */
  public void send(RecordRing records) {
    rings = size -> records;
  }

  /** Makes topics with these settings from now on. */
  public void topicSettings(Map<String, String> settings) {
    topicSettings = Map.copyOf(settings);
  }

  /**
   * From now on these hosts send, which have been or will be connected by the caller; only loads
   * without consumers and backlogs can be theirs. Before {@link #start}.
   */
  public void loadFrom(LoadHosts others) {
    hosts = others;
    node.advertise(others.settings().advertised());
  }

  /** The broker, to be configured further before {@link #start}. */
  public VariantBroker broker() {
    return broker;
  }

  @Override
  public Variant variant() {
    return broker.variant();
  }

  @Override
  public void start() throws IOException, InterruptedException {
    watch.progress(variant() + ": starting");
    broker.start();
  }

  @Override
  public RunningLoad begin(Point point) throws IOException, InterruptedException {
    if (point.consumers() > point.topics() * point.partitions()) {
      throw new IllegalArgumentException(
          point.consumers()
              + " consumers share "
              + point.topics() * point.partitions()
              + " partitions; take more partitions");
    }
    if (hosts != null && (point.consumers() > 0 || point.backlogBytes() > 0)) {
      throw new IllegalArgumentException("what is read isn't read by other hosts: " + point.text());
    }
    check();
    points++;
    List<String> topics = new ArrayList<>();
    RecordRing ring = rings.apply(point.messageBytes());
    Backlog backlog = backlog(point, ring);
    if (point.producers() > 0) {
      for (int i = 0; i < point.topics(); i++) {
        String topic = TOPIC_PREFIX + points + "-" + i;
        broker.createTopic(topic, point.partitions(), topicSettings);
        topics.add(topic);
      }
    }
    if (hosts != null) {
      onHosts = KafkaHostsLoad.begin(this, hosts, point, producers, topics);
      return onHosts;
    }
    return new KafkaLoad(this, point, producers, ring, topics, backlog);
  }

  /** Begins a load that this process makes, whose records can be looked at before it is closed. */
  public KafkaLoad load(Point point) throws IOException, InterruptedException {
    if (hosts != null) {
      throw new IllegalArgumentException("other hosts make the load");
    }
    return (KafkaLoad) begin(point);
  }

  @Override
  public void store(Point point) throws IOException, InterruptedException {
    if (point.backlogBytes() > pointBytesMax) {
      throw new IOException(
          String.format(
              "a backlog of %d MiB for each variant has no room; %d MiB has",
              point.backlogBytes() >> 20, pointBytesMax >> 20));
    }
    RecordRing ring = rings.apply(point.messageBytes());
    Backlog written = Backlog.write(this, TOPIC_PREFIX + "old", point, ring);
    written.settle(ring);
    kept = written;
  }

  /** Reads a topic from its beginning; to be polled and closed by the caller. */
  public Rereading read(String topic, int topicPartitions) {
    return new Rereading(
        node.clientProperties(), partitions(List.of(topic), topicPartitions), again -> {});
  }

  private Backlog backlog(Point point, RecordRing ring) throws IOException, InterruptedException {
    if (point.backlogBytes() == 0) {
      return null;
    }
    Backlog backlog =
        kept != null && kept.serves(point)
            ? kept
            : Backlog.write(this, TOPIC_PREFIX + points + "-backlog", point, ring);
    backlog.forget(backlog.partitions());
    return backlog;
  }

  static List<TopicPartition> partitions(List<String> topics, int partitions) {
    return topics.stream()
        .flatMap(t -> IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(t, p)))
        .toList();
  }

  KafkaNode node() {
    return node;
  }

  /** Looks after the broker and its loads. */
  public Watch watch() {
    return watch;
  }

  Producers producers() {
    return producers;
  }

  long pointBytesMax() {
    return pointBytesMax;
  }

  /** Removes a topic, and waits until none of its files is left. */
  public void remove(String topic) throws IOException, InterruptedException {
    broker.deleteTopic(topic, watch, variant().key());
  }

  /** Removes the topics of a load. */
  void remove(List<String> topics) throws IOException, InterruptedException {
    if (node.running()) {
      for (String topic : topics) {
        remove(topic);
      }
    }
  }

  /** Removes a backlog that was written for one load. */
  void remove(Backlog backlog) throws IOException, InterruptedException {
    if (backlog != kept && node.running()) {
      remove(backlog.topic());
    }
  }

  @Override
  public CpuTime cpu() {
    return CpuTime.besideThisProcess(node.cpuTime());
  }

  @Override
  public Optional<TierState> tier() throws IOException {
    if (!broker.headpond()) {
      return Optional.empty();
    }
    long[] used = new long[1];
    LogDirScan.scan(
        node.logDirs().get(0), entry -> used[0] += entry.linked() ? Math.max(0, entry.bytes()) : 0);
    Path file = broker.tier().resolve(COUNTERS);
    Properties counters = Files.exists(file) ? PropertiesFile.read(file) : new Properties();
    return Optional.of(
        new TierState(
            used[0],
            counter(counters, Count.DOWN_BYTES.key()) + counter(counters, Count.UP_BYTES.key()),
            counter(counters, Count.OVERFLOW_SEGMENTS.key()),
            tight ? ofTopics(counters, APPENDED) : null,
            tight ? ofTopics(counters, READ) : null));
  }

  /** The sum over all topics; {@code topic.NAME/PLACE} is a line of four numbers. */
  private static TierBytes ofTopics(Properties counters, int column) {
    long inTier = 0;
    long elsewhere = 0;
    for (String key : counters.stringPropertyNames()) {
      if (key.startsWith("topic.") && key.contains("/")) {
        long bytes = Long.parseLong(counters.getProperty(key).trim().split(" ")[column]);
        inTier += key.endsWith("/fast") ? bytes : 0;
        elsewhere += key.endsWith("/fast") ? 0 : bytes;
      }
    }
    return new TierBytes(inTier, elsewhere);
  }

  /** A tier that isn't used would make the comparison worthless. */
  void requireTier() throws IOException {
    if (tier().map(t -> t.usedBytes() == 0).orElse(false)) {
      throw new IOException("no segment is in the fast tier\n" + node.tail());
    }
  }

  private static long counter(Properties counters, String key) {
    return Long.parseLong(counters.getProperty(key, "0").trim());
  }

  @Override
  public void check() throws IOException {
    watch.check();
    if (onHosts != null) {
      onHosts.look();
    }
  }

  /** The load on hosts has ended. */
  void endedOnHosts() {
    onHosts = null;
  }

  @Override
  public void close() {
    node.close();
  }
}
