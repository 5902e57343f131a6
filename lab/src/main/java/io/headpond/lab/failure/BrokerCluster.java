// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.lab.place.BenchFolders;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/** Three brokers of one variant, which are the controllers too. For one thread but for close. */
final class BrokerCluster implements FailureCluster {

  /** Partitions of each topic; each broker leads two of them. */
  static final int PARTITIONS = 6;

  /** Size of the topic's segments: a new one is expected to become as large. */
  static final long SEGMENT_BYTES = 16 << 20;

  /** Heap of each broker; brokers of several clusters share the machine. */
  private static final int HEAP_MIB = 256;

  private final FailureSettings settings;
  private final Variant variant;
  private final RecordRing ring;
  private final List<VariantBroker> brokers = new ArrayList<>();
  private boolean closed;

  /**
   * Nothing runs yet.
   *
   * @param ring what is sent
   * @param tierBytes capacity of each broker's tier, for the variants that have one
   */
  BrokerCluster(
      EngineRelease kafka,
      FailureSettings settings,
      BenchFolders folders,
      Variant variant,
      RecordRing ring,
      long tierBytes)
      throws IOException {
    this.settings = settings;
    this.variant = variant;
    this.ring = ring;
    for (int id = 1; id <= FailureSettings.NODES; id++) {
      VariantBroker broker =
          new VariantBroker(kafka, settings.java(), folders, variant, id, tierBytes);
      broker.node().heapMiB(HEAP_MIB);
      brokers.add(broker);
    }
    String voters = nodes().stream().map(KafkaNode::voter).collect(Collectors.joining(","));
    String id = Uuid.randomUuid().toString();
    for (KafkaNode node : nodes()) {
      node.joins(id, voters, true)
          // The one that a client began with may be the one that dies.
          .setForClients(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap())
          .set("min.insync.replicas", "2")
          .set("offsets.topic.replication.factor", "3")
          // Kafka's own defaults: the time until a dead broker is noticed.
          .unset("broker.session.timeout.ms")
          .unset("broker.heartbeat.interval.ms");
    }
  }

  @Override
  public Variant variant() {
    return variant;
  }

  List<KafkaNode> nodes() {
    return brokers.stream().map(VariantBroker::node).toList();
  }

  private String bootstrap() {
    return nodes().stream()
        .map(node -> "127.0.0.1:" + node.brokerPort())
        .collect(Collectors.joining(","));
  }

  void start() throws IOException, InterruptedException {
    for (KafkaNode node : nodes()) {
      node.format();
    }
    for (KafkaNode node : nodes()) {
      launch(node);
    }
    for (KafkaNode node : nodes()) {
      node.awaitReady();
    }
  }

  /** Starts a broker, unless all has been closed: it would live on. */
  synchronized void launch(KafkaNode node) throws IOException, InterruptedException {
    if (closed) {
      throw new InterruptedException("the benchmark was closed");
    }
    node.launch();
  }

  @Override
  public NodeOutage begin(int round) throws IOException, InterruptedException {
    String topic = "bench-" + round;
    createTopic(topic);
    return new BrokerOutage(this, victim(), topic, ring, settings.pace());
  }

  /** Creates a topic whose partitions have a replica on every broker. */
  private void createTopic(String topic) throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(variant.topicSettings());
    all.put("min.insync.replicas", "2");
    all.put("segment.bytes", Long.toString(SEGMENT_BYTES));
    Topics.create(nodes().get(0), topic, PARTITIONS, FailureSettings.NODES, all);
  }

  /** A broker that isn't the active controller. */
  private KafkaNode victim() throws IOException, InterruptedException {
    try (Admin admin = nodes().get(0).admin()) {
      int controller = admin.describeMetadataQuorum().quorumInfo().get().leaderId();
      return nodes().stream().filter(node -> node.id() != controller).findFirst().orElseThrow();
    } catch (ExecutionException e) {
      throw new IOException("the active controller isn't known\n" + nodes().get(0).tail(), e);
    }
  }

  @Override
  public CpuTime cpu() {
    Duration all = Duration.ZERO;
    for (KafkaNode node : nodes()) {
      all = node.running() ? all.plus(node.cpuTime()) : all;
    }
    return CpuTime.besideThisProcess(all);
  }

  /** Kills the brokers that live; none is started any more. Any thread. */
  synchronized void close() {
    closed = true;
    nodes().forEach(KafkaNode::close);
  }
}
