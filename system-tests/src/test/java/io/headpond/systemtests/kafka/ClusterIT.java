// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three brokers, three replicas, one broker with Headpond. */
@Tag("extra")
class ClusterIT {

  private static final int PARTITIONS = 3;

  @Test
  void aKilledHeadpondBrokerCatchesUpAndThenServesEverythingAlone() throws Exception {
    EngineRelease kafka = Engine.KAFKA.current();
    try (Workspace workspace = Workspace.create("cluster");
        KafkaNode first =
            new KafkaNode(
                kafka, 1, workspace.folder("node-1"), List.of(workspace.folder("logs-1")));
        KafkaNode second =
            new KafkaNode(
                kafka, 2, workspace.folder("node-2"), List.of(workspace.folder("logs-2")));
        HeadpondBroker headpond =
            new HeadpondBroker(workspace, kafka, JavaHome.current(), 3, "logs-3")) {
      String id = Uuid.randomUuid().toString();
      first.joins(id, first.voter(), true).format().start();
      second.joins(id, first.voter(), false).format().start();
      headpond.node().joins(id, first.voter(), false).format().start();
      Topics.create(
          first,
          "replicated",
          PARTITIONS,
          3,
          Map.of("segment.bytes", "1048576", "min.insync.replicas", "2"));
      Workload workload =
          headpond.add(
              new Workload(
                  WorkloadSettings.of("replicated", PARTITIONS, 31).bytesPerSecond(4 << 20),
                  first.clientProperties()),
              Expect.EVERYTHING);
      workload.start().awaitAcknowledged(6_000);

      headpond.node().kill();
      workload.awaitAcknowledged(workload.acknowledgedRecords() + 6_000);
      headpond.node().start();
      awaitInSync(first, 3);
      workload.awaitAcknowledged(workload.acknowledgedRecords() + 3_000);

      second.kill();
      workload.awaitAcknowledged(workload.acknowledgedRecords() + 3_000);
      second.start();
      awaitInSync(first, 3);
      workload.stop();
      headpond.verifyRecords();

      moveTo(first, headpond.node().id());
      headpond.verifyRecords();
      assertThat(headpond.placement("replicated")[0]).as("segments in the tier").isGreaterThan(3);
      headpond.verifyEverythingAndLeave();
    }
  }

  private static void awaitInSync(KafkaNode node, int replicas) throws Exception {
    try (Admin admin = node.admin()) {
      Await.until(
          replicas + " replicas are in sync",
          () ->
              admin
                  .describeTopics(List.of("replicated"))
                  .allTopicNames()
                  .get(30, TimeUnit.SECONDS)
                  .get("replicated")
                  .partitions()
                  .stream()
                  .allMatch(p -> p.isr().size() == replicas));
    }
  }

  /**
   * Makes one broker the only replica of all partitions, so that every record is read from its
   * files.
   */
  private static void moveTo(KafkaNode node, int broker) throws Exception {
    Map<TopicPartition, Optional<NewPartitionReassignment>> moves =
        IntStream.range(0, PARTITIONS)
            .boxed()
            .collect(
                Collectors.toMap(
                    p -> new TopicPartition("replicated", p),
                    p -> Optional.of(new NewPartitionReassignment(List.of(broker)))));
    try (Admin admin = node.admin()) {
      admin.alterPartitionReassignments(moves).all().get(30, TimeUnit.SECONDS);
      Await.until(
          "broker " + broker + " leads alone",
          () ->
              admin
                  .describeTopics(List.of("replicated"))
                  .allTopicNames()
                  .get(30, TimeUnit.SECONDS)
                  .get("replicated")
                  .partitions()
                  .stream()
                  .allMatch(
                      p ->
                          p.replicas().size() == 1
                              && p.leader() != null
                              && p.leader().id() == broker));
    }
  }
}
