// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.failure;

import io.headpond.bench.comparison.CpuTime;
import io.headpond.bench.kafka.KafkaNode;
import io.headpond.bench.kafka.Topics;
import io.headpond.bench.kafka.speed.BenchFolders;
import io.headpond.bench.kafka.speed.Variant;
import io.headpond.bench.kafka.speed.VariantBroker;
import io.headpond.bench.process.EngineRelease;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Three brokers of one variant, which are the controllers too. For one thread but for close. */
final class Cluster implements AutoCloseable {

  private final Variant variant;
  private final List<VariantBroker> brokers = new ArrayList<>();
  private boolean closed;

  /** Nothing runs yet. */
  Cluster(EngineRelease kafka, FailureSettings settings, BenchFolders folders, Variant variant)
      throws IOException {
    this.variant = variant;
    for (int id = 1; id <= FailureSettings.BROKERS; id++) {
      VariantBroker broker =
          new VariantBroker(
              kafka, settings.java(), folders, variant, id, FailureBench.tierBytes(settings));
      broker.node().heapMiB(FailureSettings.HEAP_MIB);
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
          // What Kafka comes with: how long nobody knows that a broker is dead.
          .unset("broker.session.timeout.ms")
          .unset("broker.heartbeat.interval.ms");
    }
  }

  Variant variant() {
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

  /** A topic whose partitions have a replica on every broker. */
  void createTopic(String topic) throws IOException, InterruptedException {
    Map<String, String> settings = new HashMap<>(variant.topicSettings());
    settings.put("min.insync.replicas", "2");
    settings.put("segment.bytes", Long.toString(FailureBench.SEGMENT_BYTES));
    Topics.create(
        nodes().get(0), topic, FailureSettings.PARTITIONS, FailureSettings.BROKERS, settings);
  }

  void deleteTopic(String topic) throws IOException, InterruptedException {
    Topics.delete(nodes().get(0), topic);
  }

  /** A broker that isn't the active controller. */
  KafkaNode victim() throws IOException, InterruptedException {
    try (Admin admin = nodes().get(0).admin()) {
      int controller = admin.describeMetadataQuorum().quorumInfo().get().leaderId();
      return nodes().stream().filter(node -> node.id() != controller).findFirst().orElseThrow();
    } catch (ExecutionException e) {
      throw new IOException("the active controller isn't known\n" + nodes().get(0).tail(), e);
    }
  }

  /** Whether every partition has three replicas in sync. */
  boolean inSync(Admin admin, String topic) throws InterruptedException {
    try {
      return admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get()
          .get(topic)
          .partitions()
          .stream()
          .allMatch(partition -> partition.isr().size() == FailureSettings.BROKERS);
    } catch (ExecutionException e) {
      return false;
    }
  }

  /** How many messages the topic holds. */
  long messages(String topic) throws IOException, InterruptedException {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, FailureSettings.PARTITIONS)
            .boxed()
            .collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> OffsetSpec.latest()));
    try (Admin admin = nodes().get(0).admin()) {
      return admin.listOffsets(ends).all().get().values().stream()
          .mapToLong(ListOffsetsResultInfo::offset)
          .sum();
    } catch (ExecutionException e) {
      throw new IOException("the end of " + topic + " isn't known\n" + nodes().get(0).tail(), e);
    }
  }

  /** Processor time of the brokers' present lives, and of this process. */
  CpuTime cpu() {
    Duration all = Duration.ZERO;
    for (KafkaNode node : nodes()) {
      all = node.running() ? all.plus(node.cpuTime()) : all;
    }
    return CpuTime.besideThisProcess(all);
  }

  @Override
  public synchronized void close() {
    closed = true;
    nodes().forEach(KafkaNode::close);
  }
}
