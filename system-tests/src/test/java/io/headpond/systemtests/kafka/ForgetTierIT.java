// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Headpond;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.systemtests.Workspace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * A broker with Headpond loses its whole tier. Its start is refused; after {@code forget-tier} its
 * followers bring everything back that another broker has, which is shown by reading all of it from
 * this broker as the leader.
 */
@Tag("extra")
class ForgetTierIT {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private record Run(int exitCode, String out, String err) {}

  private static Run headpond(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Headpond.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return new Run(command.execute(arguments), out.toString(), err.toString());
  }

  @Test
  void aBrokerThatLostItsTierGetsItsPartitionsBackFromTheOthers() throws Exception {
    try (Workspace workspace = Workspace.create("forget-tier")) {
      EngineRelease kafka = Engine.KAFKA.current();
      Path home = workspace.folder("home 2");
      Path tier = workspace.tier("fast");
      String cluster = Uuid.randomUuid().toString();
      try (KafkaNode other =
              new KafkaNode(
                  kafka, 1, workspace.folder("node1"), List.of(workspace.folder("home")));
          KafkaNode node = new KafkaNode(kafka, 2, workspace.folder("node2"), List.of(home))) {
        other.joins(cluster, other.voter(), true).format().start();
        node.joins(cluster, other.voter(), false)
            .set("headpond.tiers", "fast")
            .set("headpond.tier.fast.paths", tier.toString())
            .set("headpond.tier.fast.capacity", "256MiB")
            .with(PlugIn.find(PlugIn.Start.AGENT))
            .format()
            .start();
        try (Admin admin = other.admin()) {
          Map<Integer, List<Integer>> both = Map.of(0, List.of(2, 1), 1, List.of(2, 1));
          Map<String, String> small = Map.of("segment.bytes", "1048576");
          NewTopic replicated = new NewTopic("replicated", both).configs(small);
          NewTopic single = new NewTopic("single", Map.of(0, List.of(2))).configs(small);
          admin.createTopics(List.of(replicated, single)).all().get(60, TimeUnit.SECONDS);
          awaitInSync(admin, "replicated", Set.of(1, 2));
          awaitInSync(admin, "single", Set.of(2));

          try (Workload workload = load("replicated", 2, other);
              Workload unlucky = load("single", 1, other)) {
            node.stop();
            awaitInSync(admin, "replicated", Set.of(1));
            Workspace.delete(tier);
            workspace.tier("fast");

            node.launch();
            assertThat(node.awaitExit(Duration.ofSeconds(60))).isNotZero();
            assertThat(node.tail()).contains("headpond forget-tier " + home + " fast");

            forget(home, other);

            node.start();
            awaitInSync(admin, "replicated", Set.of(1, 2));
            lead(admin, "replicated", 2);
            VerificationReport report = Verification.of(workload, Expect.EVERYTHING).run();
            assertThat(report.examples()).isEmpty();
            assertThat(report.clean()).isTrue();
            assertThat(unlucky.acknowledgedRecords()).isPositive();
          }
        }
        node.stop();
        Run verify = headpond("verify", home.toString());
        assertThat(verify.exitCode()).as(verify.out()).isZero();
        other.stop();
      }
    }
  }

  /** The plan, without and with the cluster's answer, then the deed. */
  private static void forget(Path home, KafkaNode other) throws Exception {
    Run plan = headpond("forget-tier", home.toString(), "fast", "--verbose");
    assertThat(plan.exitCode()).isEqualTo(1);
    assertThat(plan.out()).contains("single-0").contains("replicated-1").contains("unknown");

    Run done =
        headpond(
            "forget-tier",
            home.toString(),
            "fast",
            "--accept-loss",
            "--json",
            "--bootstrap-server",
            "127.0.0.1:" + other.brokerPort());
    assertThat(done.exitCode()).as(done.err()).isZero();
    for (JsonNode partition : new ObjectMapper().readTree(done.out()).get("partitions")) {
      String answer = partition.get("topic").asText().equals("single") ? "none" : "in_sync";
      assertThat(partition.get("other_replica").asText()).as("%s", partition).isEqualTo(answer);
    }
    assertThat(home.resolve("replicated-0")).doesNotExist();
    assertThat(home.resolve("single-0")).doesNotExist();
  }

  private static Workload load(String topic, int partitions, KafkaNode node) throws Exception {
    return new Workload(
            WorkloadSettings.of(topic, partitions, 11).recordsMax(10_000), node.clientProperties())
        .start()
        .await();
  }

  private static void awaitInSync(Admin admin, String topic, Set<Integer> brokers)
      throws Exception {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (!inSync(admin, topic).equals(brokers)) {
      assertThat(System.nanoTime())
          .as("in-sync replicas of " + topic + ": " + inSync(admin, topic) + ", not " + brokers)
          .isLessThan(deadline);
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** The brokers that are in sync for every partition; empty as long as partitions differ. */
  private static Set<Integer> inSync(Admin admin, String topic) throws Exception {
    Set<Integer> common = null;
    for (TopicPartitionInfo partition :
        admin
            .describeTopics(List.of(topic))
            .allTopicNames()
            .get(30, TimeUnit.SECONDS)
            .get(topic)
            .partitions()) {
      Set<Integer> brokers =
          Set.copyOf(partition.isr().stream().map(broker -> broker.id()).toList());
      if (common != null && !common.equals(brokers)) {
        return Set.of();
      }
      common = brokers;
    }
    return common == null ? Set.of() : common;
  }

  private static void lead(Admin admin, String topic, int broker) throws Exception {
    Set<TopicPartition> partitions =
        Set.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
    Map<TopicPartition, Optional<Throwable>> elected =
        admin
            .electLeaders(ElectionType.PREFERRED, partitions)
            .partitions()
            .get(30, TimeUnit.SECONDS);
    assertThat(elected.keySet()).isEqualTo(partitions);
    for (TopicPartitionInfo partition :
        admin
            .describeTopics(List.of(topic))
            .allTopicNames()
            .get(30, TimeUnit.SECONDS)
            .get(topic)
            .partitions()) {
      assertThat(partition.leader().id()).isEqualTo(broker);
    }
  }
}
