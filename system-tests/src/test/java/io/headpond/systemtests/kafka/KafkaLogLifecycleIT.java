// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.ToolRun;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.junit.jupiter.api.Test;

/**
 * What Kafka does to logs besides appending: retention, DeleteRecords, compaction, deletion of a
 * topic, a move between log directories, and its own metadata log. One broker lives through all of
 * it.
 */
class KafkaLogLifecycleIT {

  @Test
  void everythingKafkaDoesToLogsLeavesTheRecordsThatMustStay() throws Exception {
    try (Workspace workspace = Workspace.create("lifecycle");
        HeadpondBroker broker =
            new HeadpondBroker(
                workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs-a", "logs-b")) {
      broker
          .node()
          .set("internal.metadata.log.segment.bytes", "10240")
          .set("metadata.log.max.record.bytes.between.snapshots", "4096")
          .format()
          .start();
      retention(broker);
      deleteRecords(broker);
      compaction(broker);
      deletedTopic(broker);
      move(broker);
      tools(broker);
      metadataLog(broker);
      broker.awaitReclaimed();
      broker.node().kill();
      broker.node().start();
      broker.verifyEverythingAndLeave();
      broker.verifyAfterLeaving();
    }
  }

  private static Workload produce(
      HeadpondBroker broker, String topic, Expect expect, int records, Map<String, String> config)
      throws Exception {
    Map<String, String> all = new HashMap<>(config);
    all.put("segment.bytes", "1048576");
    Topics.create(broker.node(), topic, 2, 1, all);
    Workload workload =
        new Workload(
            WorkloadSettings.of(topic, 2, topic.hashCode()).recordsMax(records).keys(500),
            broker.node().clientProperties());
    broker.add(workload, expect).start().await();
    assertThat(workload.failures())
        .as("%s: %s%n%s", topic, workload.errors(), broker.node().tail())
        .isZero();
    return workload;
  }

  private static void retention(HeadpondBroker broker) throws Exception {
    Workload workload =
        produce(
            broker,
            "retained",
            Expect.FROM_LOG_START,
            10_000,
            Map.of("retention.bytes", "2097152", "file.delete.delay.ms", "1000"));
    Await.until(
        "retention deletes the first segments", () -> start(broker.node(), "retained", 0) > 0);
    VerificationReport report = broker.verifyRecords(workload, Expect.FROM_LOG_START);
    // Two partitions keep at least 2 MiB each.
    assertThat(report.verified()).isGreaterThan(2 * 1500);
  }

  private static void deleteRecords(HeadpondBroker broker) throws Exception {
    Workload workload =
        produce(
            broker,
            "shortened",
            Expect.FROM_LOG_START,
            8_000,
            Map.of("file.delete.delay.ms", "1000"));
    TopicPartition partition = new TopicPartition("shortened", 0);
    try (Admin admin = broker.node().admin()) {
      admin
          .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3000)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
    assertThat(start(broker.node(), "shortened", 0)).isEqualTo(3000);
    VerificationReport report = broker.verifyRecords(workload, Expect.FROM_LOG_START);
    assertThat(report.expired()).isEqualTo(3000);
    assertThat(report.verified()).isEqualTo(5000);
  }

  private static void compaction(HeadpondBroker broker) throws Exception {
    Map<String, String> config =
        Map.of(
            "cleanup.policy",
            "compact",
            "min.cleanable.dirty.ratio",
            "0.01",
            // Longer than a round of cleaning: the second one renames onto names that still wait
            // for deletion.
            "file.delete.delay.ms",
            "4000");
    Workload workload = produce(broker, "compacted", Expect.LATEST_PER_KEY, 10_000, config);
    long first = awaitCleaned(broker, 1);
    VerificationReport once = broker.verifyRecords(workload, Expect.LATEST_PER_KEY);
    assertThat(once.superseded()).isPositive();
    workload.more(10_000).start().await();
    awaitCleaned(broker, first + 1);
    VerificationReport twice = broker.verifyRecords(workload, Expect.LATEST_PER_KEY);
    assertThat(twice.superseded()).isGreaterThan(once.superseded());
  }

  /**
   * Waits until the cleaner has cleaned partition 0 up to an offset of at least {@code atLeast},
   * and returns it.
   */
  private static long awaitCleaned(HeadpondBroker broker, long atLeast) throws Exception {
    long[] cleaned = new long[1];
    Await.until(
        "the cleaner passes offset " + atLeast,
        () -> {
          for (Path logDir : broker.logDirs()) {
            Path checkpoint = logDir.resolve("cleaner-offset-checkpoint");
            if (Files.exists(checkpoint)) {
              cleaned[0] =
                  Math.max(
                      cleaned[0],
                      Files.readAllLines(checkpoint).stream()
                          .filter(line -> line.startsWith("compacted 0 "))
                          .mapToLong(line -> Long.parseLong(line.split(" ")[2]))
                          .findFirst()
                          .orElse(0));
            }
          }
          return cleaned[0] >= atLeast;
        });
    return cleaned[0];
  }

  private static void deletedTopic(HeadpondBroker broker) throws Exception {
    Workload workload =
        produce(
            broker, "deleted", Expect.EVERYTHING, 5_000, Map.of("file.delete.delay.ms", "1000"));
    assertThat(broker.placement("deleted")[0]).isPositive();
    broker.forget(workload);
    try (Admin admin = broker.node().admin()) {
      admin.deleteTopics(List.of("deleted")).all().get(30, TimeUnit.SECONDS);
    }
    Await.until("the topic's directories go", () -> directories(broker, "deleted").isEmpty());
  }

  private static List<Path> directories(HeadpondBroker broker, String topic) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path logDir : broker.logDirs()) {
      try (Stream<Path> entries = Files.list(logDir)) {
        entries.filter(p -> p.getFileName().toString().startsWith(topic + "-")).forEach(found::add);
      }
    }
    return found;
  }

  private static void move(HeadpondBroker broker) throws Exception {
    Workload workload =
        produce(broker, "moved", Expect.EVERYTHING, 6_000, Map.of("file.delete.delay.ms", "1000"));
    TopicPartitionReplica replica = new TopicPartitionReplica("moved", 0, broker.node().id());
    Path from =
        directories(broker, "moved").stream()
            .filter(p -> p.endsWith("moved-0"))
            .findFirst()
            .orElseThrow()
            .getParent();
    Path to = broker.logDirs().stream().filter(p -> !p.equals(from)).findFirst().orElseThrow();
    try (Admin admin = broker.node().admin()) {
      admin.alterReplicaLogDirs(Map.of(replica, to.toString())).all().get(30, TimeUnit.SECONDS);
      Await.until(
          "the replica is in " + to,
          () -> {
            ReplicaInfo there =
                admin
                    .describeLogDirs(List.of(broker.node().id()))
                    .allDescriptions()
                    .get(30, TimeUnit.SECONDS)
                    .get(broker.node().id())
                    .get(to.toString())
                    .replicaInfos()
                    .get(new TopicPartition("moved", 0));
            return there != null && !there.isFuture();
          });
    }
    assertThat(to.resolve("moved-0")).isDirectory();
    assertThat(workload.acknowledgedRecords()).isEqualTo(6_000);
    broker.verifyRecords(workload, Expect.EVERYTHING);
  }

  /**
   * Kafka's own tools with the same options beside the live broker: they work, and disturb nothing.
   */
  private static void tools(HeadpondBroker broker) throws Exception {
    KafkaNode node = broker.node();
    String bootstrap = "127.0.0.1:" + node.brokerPort();
    Topics.create(node, "tooled", 2, 1, Map.of("segment.bytes", "1048576"));
    Workload load =
        broker.add(
            new Workload(
                WorkloadSettings.of("tooled", 2, 99).bytesPerSecond(2 << 20),
                node.clientProperties()),
            Expect.EVERYTHING);
    load.start().awaitAcknowledged(100);
    ToolRun topics =
        node.tool(
            "org.apache.kafka.tools.TopicCommand", "--bootstrap-server", bootstrap, "--describe");
    assertThat(topics.output()).contains("Topic: moved").contains("Leader: 1");
    assertThat(topics.exitCode()).isZero();
    ToolRun dump =
        node.tool(
            "org.apache.kafka.tools.DumpLogSegments",
            "--files",
            aSegment(broker, "moved-0").toString());
    assertThat(dump.output()).contains("baseOffset:");
    ToolRun logDirs =
        node.tool(
            "org.apache.kafka.tools.LogDirsCommand", "--bootstrap-server", bootstrap, "--describe");
    assertThat(logDirs.output()).contains("\"partition\":\"moved-0\"");
    // A tool that took the tiers' lock, recovered or swept would stop or harm the broker's appends.
    load.awaitAcknowledged(load.acknowledgedRecords() + 100);
    load.stop();
    assertThat(load.failures()).as("%s", load.errors()).isZero();
  }

  private static Path aSegment(HeadpondBroker broker, String partition) throws IOException {
    Path folder =
        directories(broker, partition.substring(0, partition.indexOf('-'))).stream()
            .filter(p -> p.getFileName().toString().equals(partition))
            .findFirst()
            .orElseThrow();
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(p -> p.toString().endsWith(".log")).sorted().findFirst().orElseThrow();
    }
  }

  private static void metadataLog(HeadpondBroker broker) throws Exception {
    Path metadata = broker.logDirs().get(0).resolve("__cluster_metadata-0");
    Await.until(
        "the metadata log has a snapshot",
        () -> {
          try (Stream<Path> files = Files.list(metadata)) {
            return files.anyMatch(p -> p.toString().endsWith(".checkpoint"));
          }
        });
    try (Stream<Path> files = Files.list(metadata)) {
      assertThat(files.filter(p -> p.toString().endsWith(".log")).noneMatch(Files::isSymbolicLink))
          .isTrue();
    }
  }

  private static long start(KafkaNode node, String topic, int partition) throws Exception {
    TopicPartition at = new TopicPartition(topic, partition);
    try (Admin admin = node.admin()) {
      Map<TopicPartition, ListOffsetsResultInfo> offsets =
          admin.listOffsets(Map.of(at, OffsetSpec.earliest())).all().get(30, TimeUnit.SECONDS);
      return offsets.get(at).offset();
    }
  }
}
