// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.logdir.OwnerCounters;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many times what the fast tier holds comes to a broker at once: it was away and catches up, it is
 * given a replica, a replica moves from one of its log directories to the other. Data that are days
 * old go home, and don't push out what is fresh.
 */
@Tag("extra")
class CatchUpIT {

  private static final int HEADPOND = 3;
  private static final long MIB = 1 << 20;
  private static final long CAPACITY_BYTES = 64 * MIB;
  private static final double THRESHOLD = 0.75;

  /** A segment more, while it is being moved down. */
  private static final long SETTLED_BYTES_MAX = (long) (THRESHOLD * CAPACITY_BYTES) + 2 * MIB;

  private static final String COUNTED_BYTES = "tier.fast.used.bytes";
  private static final int RECORD_BYTES = 8 << 10;
  private static final int OLD_PARTITIONS = 4;
  private static final int FRESH_PARTITIONS = 2;
  private static final long OLD_BYTES = 192 * MIB;
  private static final long FRESH_BYTES = 12 * MIB;
  private static final long OLD_REPLICA_BYTES = 48 * MIB;
  private static final long FRESH_REPLICA_BYTES = 6 * MIB;

  private final ObjectMapper json = new ObjectMapper();
  private KafkaNode leader;
  private HeadpondBroker headpond;
  private final Map<String, Workload> workloads = new HashMap<>();
  private long usedBytesMax;

  @Test
  void oldDataGoHomeAndFreshOnesToTheFastTier() throws Exception {
    EngineRelease kafka = Engine.KAFKA.current();
    try (Workspace workspace = Workspace.create("catch-up");
        KafkaNode first =
            new KafkaNode(
                kafka, 1, workspace.folder("node-1"), List.of(workspace.folder("logs-1")));
        KafkaNode second =
            new KafkaNode(
                kafka, 2, workspace.folder("node-2"), List.of(workspace.folder("logs-2")));
        HeadpondBroker third =
            new HeadpondBroker(
                workspace, kafka, JavaHome.current(), HEADPOND, "logs-3a", "logs-3b")) {
      leader = first;
      headpond = third;
      start(second);
      catchesUp();
      isGivenReplicas();
      movesBetweenLogDirectories();
      freshDataPushOldOnesOut();
      servesAlone();
    }
  }

  private void start(KafkaNode second) throws Exception {
    String id = Uuid.randomUuid().toString();
    leader.joins(id, leader.voter(), true).format().start();
    second.joins(id, leader.voter(), false).format().start();
    headpond
        .node()
        .joins(id, leader.voter(), false)
        .set("headpond.tier.fast.capacity", CAPACITY_BYTES / MIB + "MiB")
        .set("headpond.tier.fast.migrate.threshold", String.valueOf(THRESHOLD))
        .set("num.replica.fetchers", "2")
        .format()
        .start();
    create("old", OLD_PARTITIONS, List.of(1, 2, HEADPOND));
    create("fresh", FRESH_PARTITIONS, List.of(1, 2, HEADPOND));
    create("moving-old", 1, List.of(1, 2));
    create("moving-fresh", 1, List.of(1, 2));
  }

  private void create(String topic, int partitions, List<Integer> brokers) throws Exception {
    Map<Integer, List<Integer>> replicas = new HashMap<>();
    for (int p = 0; p < partitions; p++) {
      replicas.put(p, brokers);
    }
    Map<String, String> configuration =
        Map.of(
            "segment.bytes",
            "1048576",
            "min.insync.replicas",
            "2",
            "retention.ms",
            "-1",
            "file.delete.delay.ms",
            "1000");
    try (Admin admin = leader.admin()) {
      admin
          .createTopics(List.of(new NewTopic(topic, replicas).configs(configuration)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
    awaitReplicas(topic, Set.copyOf(brokers));
  }

  /** It was away while others were written to. */
  private void catchesUp() throws Exception {
    headpond.node().stop();
    produce("old", OLD_PARTITIONS, OLD_BYTES, true);
    produce("fresh", FRESH_PARTITIONS, FRESH_BYTES, false);
    headpond.node().start();
    awaitReplicas("old", Set.of(1, 2, HEADPOND));
    awaitReplicas("fresh", Set.of(1, 2, HEADPOND));
    awaitSettled("after a catch-up");
    allInTheTier("fresh");
    // All but what each log began with: nothing said yet that it is old.
    awaitAppendedAtHome(OLD_BYTES * 9 / 10);
  }

  private void isGivenReplicas() throws Exception {
    produce("moving-old", 1, OLD_REPLICA_BYTES, true);
    produce("moving-fresh", 1, FRESH_REPLICA_BYTES, false);
    long before = homeAppendedBytes();
    reassign(Set.of("moving-old", "moving-fresh"), List.of(1, HEADPOND));
    awaitSettled("with new replicas");
    allInTheTier("fresh");
    allInTheTier("moving-fresh");
    awaitAppendedAtHome(before + OLD_REPLICA_BYTES * 9 / 10);
  }

  private void movesBetweenLogDirectories() throws Exception {
    long before = homeAppendedBytes();
    for (String topic : List.of("moving-old", "moving-fresh")) {
      toTheOtherLogDirectory(topic);
    }
    awaitSettled("after replicas moved to other log directories");
    allInTheTier("fresh");
    allInTheTier("moving-fresh");
    awaitAppendedAtHome(before + OLD_REPLICA_BYTES * 9 / 10);
  }

  private void toTheOtherLogDirectory(String topic) throws Exception {
    Path from =
        headpond.logDirs().stream()
            .filter(logDir -> logDir.resolve(topic + "-0").toFile().isDirectory())
            .findFirst()
            .orElseThrow();
    Path to =
        headpond.logDirs().stream()
            .filter(logDir -> !logDir.equals(from))
            .findFirst()
            .orElseThrow();
    try (Admin admin = leader.admin()) {
      admin
          .alterReplicaLogDirs(
              Map.of(new TopicPartitionReplica(topic, 0, HEADPOND), to.toAbsolutePath().toString()))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
    Await.until(
        topic + " is in " + to + " only",
        () -> {
          look();
          return to.resolve(topic + "-0").toFile().isDirectory()
              && partitionDirectories(topic) == 1;
        });
  }

  private int partitionDirectories(String topic) {
    int found = 0;
    for (Path logDir : headpond.logDirs()) {
      String[] names = logDir.toFile().list((folder, name) -> name.startsWith(topic + "-0"));
      found += names.length;
    }
    return found;
  }

  /** What came up because there was room goes first, however lately it was fetched. */
  private void freshDataPushOldOnesOut() throws Exception {
    produce("fresh", FRESH_PARTITIONS, FRESH_BYTES, false);
    awaitSettled("after more fresh data");
    allInTheTier("fresh");
    allInTheTier("moving-fresh");
  }

  /** Every record is read from its files, by it and by unmodified Kafka. */
  private void servesAlone() throws Exception {
    reassign(Set.of("old", "fresh", "moving-old", "moving-fresh"), List.of(HEADPOND));
    System.out.printf("CatchUpIT: at most %d B of %d used%n", usedBytesMax, CAPACITY_BYTES);
    headpond.verifyEverythingAndLeave();
  }

  private void produce(String topic, int partitions, long bytes, boolean old) throws Exception {
    long records = bytes / RECORD_BYTES;
    Workload workload = workloads.get(topic);
    if (workload == null) {
      Map<String, Object> clients = leader.clientProperties();
      workload =
          headpond.add(
              new Workload(
                  WorkloadSettings.of(topic, partitions, topic.hashCode())
                      .recordBytes(RECORD_BYTES, true)
                      .recordsMax(0),
                  old ? DaysOld.clients(clients) : clients),
              Expect.EVERYTHING);
      workloads.put(topic, workload);
    }
    long wanted = workload.acknowledgedRecords() + records;
    workload.more(records).start().await();
    assertThat(workload.acknowledgedRecords())
        .as("of %s: %s", topic, workload.errors())
        .isEqualTo(wanted);
  }

  private void reassign(Set<String> topics, List<Integer> brokers) throws Exception {
    try (Admin admin = leader.admin()) {
      Map<TopicPartition, Optional<NewPartitionReassignment>> moves = new HashMap<>();
      for (TopicDescription topic :
          admin.describeTopics(topics).allTopicNames().get(30, TimeUnit.SECONDS).values()) {
        for (TopicPartitionInfo partition : topic.partitions()) {
          moves.put(
              new TopicPartition(topic.name(), partition.partition()),
              Optional.of(new NewPartitionReassignment(brokers)));
        }
      }
      admin.alterPartitionReassignments(moves).all().get(30, TimeUnit.SECONDS);
    }
    for (String topic : topics) {
      awaitReplicas(topic, Set.copyOf(brokers));
    }
  }

  /** All of these have all of it, and no other broker has any. */
  private void awaitReplicas(String topic, Set<Integer> brokers) throws Exception {
    try (Admin admin = leader.admin()) {
      Await.until(
          "replicas of " + topic + " in sync: " + brokers,
          () -> {
            look();
            return admin
                .describeTopics(List.of(topic))
                .allTopicNames()
                .get(30, TimeUnit.SECONDS)
                .get(topic)
                .partitions()
                .stream()
                .allMatch(p -> ids(p.replicas()).equals(brokers) && ids(p.isr()).equals(brokers));
          });
    }
  }

  private static Set<Integer> ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).collect(Collectors.toSet());
  }

  private JsonNode status() throws Exception {
    return json.readTree(HeadpondBroker.headpond("status", headpond.logDirs(), "--json").output());
  }

  private static long usedBytes(JsonNode status) {
    return status.at("/tiers/0/used_bytes").asLong();
  }

  /** At no time more than it may have. */
  private void look() throws Exception {
    long used = usedBytes(status());
    assertThat(used).as("B used in the fast tier").isLessThanOrEqualTo(CAPACITY_BYTES);
    usedBytesMax = Math.max(usedBytesMax, used);
  }

  /** Nothing is moving, the tier is where migration steers it to, and its account is right. */
  private void awaitSettled(String when) throws Exception {
    headpond.awaitReclaimed();
    Await.until(
        "the tier is settled " + when,
        () -> {
          long counted =
              OwnerCounters.newest(List.of(headpond.tier())).orElseThrow().get(COUNTED_BYTES);
          JsonNode status = status();
          return usedBytes(status) == counted
              && counted <= SETTLED_BYTES_MAX
              && status.at("/owner/migration_running").asLong() == 0
              && !headpond.copying();
        });
    JsonNode owner = status().get("owner");
    System.out.printf("CatchUpIT: %s: %s%n", when, owner);
    assertThat(owner.get("overflow_segments").asLong()).as("overflow " + when).isZero();
    assertThat(owner.get("evacuated_segments").asLong()).as("evacuated " + when).isZero();
    assertThat(owner.get("migration_failures").asLong()).as("failed moves " + when).isZero();
  }

  /** Counters are published once a second. */
  private void awaitAppendedAtHome(long bytes) throws Exception {
    Await.until(bytes + " B were appended at home", () -> homeAppendedBytes() >= bytes);
  }

  private long homeAppendedBytes() throws Exception {
    return status().at("/owner/home_appended_bytes").asLong();
  }

  private void allInTheTier(String topic) throws Exception {
    long[] placement = headpond.placement(topic);
    assertThat(placement[0]).as("segments of %s in the tier", topic).isGreaterThan(3);
    assertThat(placement[1]).as("segments of %s at home", topic).isZero();
  }
}
