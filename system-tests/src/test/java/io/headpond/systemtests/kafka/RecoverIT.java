// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * A broker with Headpond loses its whole tier, and with it every segment. Its start is refused;
 * after {@code recover} its followers bring everything back that another broker has, which is shown
 * by reading all of it from this broker as the leader. A log that nobody else has begins where
 * Kafka's checkpoint says, and not at 0.
 */
@Tag("extra")
class RecoverIT {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final TopicPartition SINGLE = new TopicPartition("single", 0);

  /** Where the log of {@link #SINGLE} begins: the records before it were deleted. */
  private static final long START = 1_000;

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
    try (Workspace workspace = Workspace.create("recover")) {
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
            admin
                .deleteRecords(Map.of(SINGLE, RecordsToDelete.beforeOffset(START)))
                .all()
                .get(60, TimeUnit.SECONDS);
            node.stop();
            awaitInSync(admin, "replicated", Set.of(1));
            Workspace.delete(tier);
            workspace.tier("fast");

            node.launch();
            assertThat(node.awaitExit(Duration.ofSeconds(60))).isNotZero();
            assertThat(node.tail()).contains("headpond recover ", " --tier fast");

            recover(node.configuration(), other);
            assertThat(home.resolve("replicated-0")).isDirectoryNotContaining("glob:**.log");

            node.start();
            awaitInSync(admin, "replicated", Set.of(1, 2));
            lead(admin, "replicated", 2);
            VerificationReport report = Verification.of(workload, Expect.EVERYTHING).run();
            assertThat(report.examples()).isEmpty();
            assertThat(report.clean()).isTrue();
            assertThat(unlucky.acknowledgedRecords()).isGreaterThan(START);
            assertThat(end(admin)).isEqualTo(START);
          }
        }
        node.stop();
        Run verify = headpond("verify", home.toString());
        assertThat(verify.exitCode()).as(verify.out()).isZero();
        other.stop();
      }
    }
  }

  /** The refusal, without and with the cluster's answer, then the deed. */
  private static void recover(Path configuration, KafkaNode other) {
    String[] command = {"recover", configuration.toString(), "--tier", "fast"};
    Run unknown = headpond(command);
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("HP0119", "unknown: replicated (0-1), single (0)");

    String server = "127.0.0.1:" + other.brokerPort();
    Run asked = headpond(with(command, "--bootstrap-server", server));
    assertThat(asked.exitCode()).isEqualTo(1);
    assertThat(asked.out()).contains("replicated (0-1): cut", "another broker leads");
    assertThat(asked.err()).contains("none: single (0)").doesNotContain("replicated");

    Run done = headpond(with(command, "--accept-loss"));
    assertThat(done.exitCode()).as(done.err()).isZero();
  }

  private static String[] with(String[] command, String... more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  private static long end(Admin admin) throws Exception {
    return admin
        .listOffsets(Map.of(SINGLE, OffsetSpec.latest()))
        .partitionResult(SINGLE)
        .get(60, TimeUnit.SECONDS)
        .offset();
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
