// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.layout.LogDirScan;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A leader with Headpond goes on alone and dies, a follower with a shorter log is elected in its
 * place, and so the old leader has to give up what nobody else has: the truncation goes deep into
 * segments that are sealed, that have migrated, and that are migrating.
 */
@Tag("extra")
class FollowerTruncationIT {

  private static final String TOPIC = "diverging";
  private static final int PARTITIONS = 2;
  private static final int HEADPOND = 3;
  private static final int VANILLA = 2;

  /** About 3 MiB a partition: three segments. */
  private static final int RECORDS = 6_000;

  private KafkaNode controller;
  private KafkaNode vanilla;
  private HeadpondBroker headpond;
  private Workload workload;
  private int records = RECORDS;

  @Test
  void replicasConvergeWhereverTheTruncatedSegmentsLie() throws Exception {
    EngineRelease kafka = Engine.KAFKA.current();
    try (Workspace workspace = Workspace.create("truncation");
        KafkaNode first =
            new KafkaNode(
                kafka, 1, workspace.folder("node-1"), List.of(workspace.folder("logs-1")));
        KafkaNode second =
            new KafkaNode(
                kafka, VANILLA, workspace.folder("node-2"), List.of(workspace.folder("logs-2")));
        HeadpondBroker third =
            new HeadpondBroker(workspace, kafka, JavaHome.current(), HEADPOND, "logs-3")) {
      controller = first;
      vanilla = second;
      headpond = third;
      headpond.tierBelow("ssd", workspace.folder("ssd"), "64MiB");
      headpond.node().set("headpond.tier.fast.capacity", "64MiB");
      start();
      try (Workload made =
          new Workload(
              WorkloadSettings.of(TOPIC, PARTITIONS, 51).acks("1").recordsMax(0),
              first.clientProperties())) {
        workload = made;
        sealed();
        migrated();
        migrating();
      }
      headpond.awaitReclaimed();
      headpond.node().stop();
      vanilla.stop();
      headpond.verifyFiles();
      sameBytes();
      headpond.drain();
      sameBytes();
    }
  }

  private void start() throws Exception {
    String id = Uuid.randomUuid().toString();
    controller.joins(id, controller.voter(), true);
    vanilla.joins(id, controller.voter(), false);
    headpond.node().joins(id, controller.voter(), false);
    for (KafkaNode node : List.of(controller, vanilla, headpond.node())) {
      node.set("broker.session.timeout.ms", "2000")
          .set("broker.heartbeat.interval.ms", "200")
          .set("unclean.leader.election.enable", "true")
          .format()
          .start();
    }
    Map<Integer, List<Integer>> replicas = new HashMap<>();
    for (int p = 0; p < PARTITIONS; p++) {
      replicas.put(p, List.of(HEADPOND, VANILLA));
    }
    try (Admin admin = controller.admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(TOPIC, replicas)
                      .configs(
                          Map.of(
                              "segment.bytes",
                              "1048576",
                              "min.insync.replicas",
                              "1",
                              "unclean.leader.election.enable",
                              "true"))))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  private void sealed() throws Exception {
    headpond.node().set("headpond.tier.fast.migrate.threshold", "-1");
    restartHeadpond();
    diverge();
    assertThat(headpond.placement(TOPIC)[1]).as("segments at home").isZero();
    takeOver();
    converge();
  }

  private void migrated() throws Exception {
    headpond
        .node()
        .set("headpond.tier.fast.migrate.threshold", "0")
        .set("headpond.tier.ssd.migrate.threshold", "0");
    restartHeadpond();
    diverge();
    Await.until(
        "every sealed segment is at home",
        () -> headpond.placement(TOPIC)[0] <= PARTITIONS && !headpond.copying());
    takeOver();
    converge();
  }

  private void migrating() throws Exception {
    headpond.node().set("headpond.tier.fast.migrate.threshold", "-1");
    restartHeadpond();
    records = 2 * RECORDS;
    diverge();
    // From its start on, as many segments as there are threads are being copied to the tier below,
    // for longer than it takes to become a follower.
    headpond
        .node()
        .set("headpond.tier.fast.migrate.threshold", "0")
        .set("headpond.tier.ssd.migrate.threshold", "-1")
        .set("headpond.migrate.threads", "16")
        .set("headpond.migrate.bytes.per.second", "1MiB");
    takeOver();
    assertThat(headpond.copying()).as("segments are being copied").isTrue();
    converge();
  }

  private void restartHeadpond() throws Exception {
    headpond.node().stop();
    headpond.node().start();
    awaitInSync(Set.of(VANILLA, HEADPOND));
  }

  /** Both replicas have a part; then only the leader with Headpond gets more. */
  private void diverge() throws Exception {
    try (Admin admin = controller.admin()) {
      Set<TopicPartition> partitions =
          partitions(admin).stream()
              .map(p -> new TopicPartition(TOPIC, p.partition()))
              .collect(Collectors.toSet());
      // It may lead already, which is an error of the answer's partition only.
      admin.electLeaders(ElectionType.PREFERRED, partitions).partitions().get(30, TimeUnit.SECONDS);
    }
    awaitLeader(HEADPOND);
    produce();
    awaitInSync(Set.of(VANILLA, HEADPOND));
    vanilla.kill();
    awaitInSync(Set.of(HEADPOND));
    produce();
  }

  /** The shorter replica leads, gets other records, and the longer one comes back. */
  private void takeOver() throws Exception {
    headpond.node().kill();
    vanilla.start();
    awaitLeader(VANILLA);
    produce();
    headpond.node().start();
  }

  private void converge() throws Exception {
    awaitInSync(Set.of(VANILLA, HEADPOND));
    assertThat(headpond.node().log()).content().contains("Truncating");
    Await.until("both replicas hold the same", this::same);
  }

  private void produce() throws Exception {
    long before = workload.acknowledgedRecords();
    workload.more(records).start().await();
    assertThat(workload.acknowledgedRecords())
        .as("%s", workload.errors())
        .isEqualTo(before + records);
  }

  private void awaitInSync(Set<Integer> brokers) throws Exception {
    try (Admin admin = controller.admin()) {
      Await.until(
          "in sync: " + brokers,
          () ->
              partitions(admin).stream()
                  .allMatch(
                      p ->
                          p.isr().stream()
                              .map(Node::id)
                              .collect(Collectors.toSet())
                              .equals(brokers)));
    }
  }

  private void awaitLeader(int broker) throws Exception {
    try (Admin admin = controller.admin()) {
      Await.until(
          "broker " + broker + " leads",
          () ->
              partitions(admin).stream()
                  .allMatch(p -> p.leader() != null && p.leader().id() == broker));
    }
  }

  private static List<TopicPartitionInfo> partitions(Admin admin) throws Exception {
    return admin
        .describeTopics(List.of(TOPIC))
        .allTopicNames()
        .get(30, TimeUnit.SECONDS)
        .get(TOPIC)
        .partitions();
  }

  private void sameBytes() throws IOException {
    for (int p = 0; p < PARTITIONS; p++) {
      assertThat(bytes(headpond.node(), p)).isEqualTo(bytes(vanilla, p));
    }
  }

  /** The same bytes, but for zeros that the active segment was grown ahead by. */
  private boolean same() throws IOException {
    try {
      return sameNow();
    } catch (NoSuchFileException e) {
      return false; // moved or truncated away while it was opened
    }
  }

  private boolean sameNow() throws IOException {
    for (int p = 0; p < PARTITIONS; p++) {
      byte[] expected = bytes(vanilla, p);
      byte[] found = bytes(headpond.node(), p);
      if (found.length < expected.length
          || Arrays.mismatch(found, 0, expected.length, expected, 0, expected.length) >= 0) {
        return false;
      }
      for (int i = expected.length; i < found.length; i++) {
        if (found[i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** A partition's whole log, as it lies on disk. */
  private static byte[] bytes(KafkaNode node, int partition) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Path folder = node.logDirs().get(0).resolve(TOPIC + "-" + partition);
    for (LogDirScan.Entry segment : LogDirScan.segments(folder)) {
      if (segment.name().toString().endsWith(".log")) {
        all.write(Files.readAllBytes(segment.name()));
      }
    }
    return all.toByteArray();
  }
}
