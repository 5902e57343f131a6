// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Mount;
import io.headpond.store.layout.LogDirScan;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Command;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;

/**
 * Three brokers with Headpond, whose tiers hold a small part of a topic with three replicas, and a
 * controller that is a broker without a replica: it answers when all the others are down.
 */
final class LostTierCluster implements AutoCloseable {
  static final String TOPIC = "orders";
  static final int PARTITIONS = 2;

  private static final int CONTROLLER = 9;
  private static final int BROKERS = 3;
  private static final int DEVICE_MIB = 24;

  private final Workspace workspace;
  private final KafkaNode controller;
  private final Map<Integer, HeadpondBroker> brokers = new TreeMap<>();
  private final Map<Integer, Mount> devices = new TreeMap<>();
  private final Workload workload;

  /**
   * @param mounted each tier's directory is the mount point of a device of its own
   */
  LostTierCluster(EngineRelease kafka, long seed, boolean mounted) throws Exception {
    workspace = Workspace.create("lost-tier");
    controller =
        new KafkaNode(
            kafka, CONTROLLER, workspace.folder("node"), List.of(workspace.folder("logs")));
    String cluster = Uuid.randomUuid().toString();
    controller.joins(cluster, controller.voter(), true).format().start();
    for (int id = 1; id <= BROKERS; id++) {
      HeadpondBroker broker =
          new HeadpondBroker(workspace, kafka, JavaHome.current(), id, "logs-" + id);
      brokers.put(id, broker);
      if (mounted) {
        devices.put(id, Mount.tmpfs(broker.tier(), DEVICE_MIB));
        broker.node().set("headpond.tier.fast.ephemeral", "true");
      }
      broker
          .node()
          .joins(cluster, controller.voter(), false)
          .set("headpond.tier.fast.capacity", "8MiB")
          .format()
          .start();
    }
    Map<Integer, List<Integer>> replicas = Map.of(0, List.of(1, 2, 3), 1, List.of(2, 3, 1));
    try (Admin admin = controller.admin()) {
      Map<String, String> settings = Map.of("segment.bytes", "1048576", "min.insync.replicas", "2");
      admin
          .createTopics(List.of(new NewTopic(TOPIC, replicas).configs(settings)))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
    workload =
        new Workload(WorkloadSettings.of(TOPIC, PARTITIONS, seed), controller.clientProperties());
    awaitInSync();
  }

  Workload workload() {
    return workload;
  }

  HeadpondBroker broker(int id) {
    return brokers.get(id);
  }

  Path home(int id) {
    return broker(id).logDirs().get(0);
  }

  /** Empties a tier's directory, as a new device is empty. */
  void loseTier(int id) throws IOException {
    Workspace.delete(broker(id).tier());
    Files.createDirectories(broker(id).tier());
  }

  /** Takes a tier's device away; its directory is there, and empty, and no device. */
  void unmount(int id) throws IOException {
    devices.remove(id).close();
  }

  /** Mounts a new device. */
  void mount(int id) throws Exception {
    devices.put(id, Mount.tmpfs(broker(id).tier(), DEVICE_MIB));
  }

  /** Runs {@code recover} as before each start; what it printed goes into the text. */
  int recover(int id, StringWriter text) {
    return Command.run(
        text,
        "recover",
        broker(id).node().configuration(),
        "--bootstrap-server",
        "127.0.0.1:" + controller.brokerPort());
  }

  /** Gives the tier up as an operator does; what it printed goes into the text. */
  int giveUpTier(int id, StringWriter text) {
    return Command.run(
        text,
        "recover",
        broker(id).node().configuration(),
        "--tier",
        "fast",
        "--bootstrap-server",
        "127.0.0.1:" + controller.brokerPort());
  }

  /** A broker without its tier doesn't start. */
  void refusedStart(int id) throws Exception {
    broker(id).node().launch();
    assertThat(broker(id).node().awaitExit(Duration.ofSeconds(60))).isNotZero();
    assertThat(broker(id).node().tail()).contains("HP0103").contains("headpond recover");
  }

  /** The replicas of one broker, by partition. */
  List<ReplicaContent> replicas(int id) throws IOException {
    List<ReplicaContent> found = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Path directory = home(id).resolve(TOPIC + "-" + partition);
      found.add(
          Files.exists(directory) ? ReplicaContent.of(directory) : new ReplicaContent(0, 0, 0));
    }
    return found;
  }

  static long bytes(List<ReplicaContent> replicas) {
    return replicas.stream().mapToLong(ReplicaContent::bytes).sum();
  }

  /** Bytes of segments in a broker's tier. */
  long bytesInTier(int id) throws IOException {
    long[] bytes = new long[1];
    LogDirScan.scan(home(id), entry -> bytes[0] += entry.linked() ? entry.bytes() : 0);
    return bytes[0];
  }

  /** Bytes that a broker has appended to its logs since its start. */
  long appended(int id) throws IOException {
    Path live = broker(id).tier().resolve(".headpond.live");
    Properties counters = new Properties();
    if (Files.exists(live)) {
      try (InputStream in = Files.newInputStream(live)) {
        counters.load(in);
      }
    }
    return counters.stringPropertyNames().stream()
        .filter(key -> key.equals("home.appended.bytes") || key.equals("tier.fast.appended.bytes"))
        .mapToLong(key -> Long.parseLong(counters.getProperty(key)))
        .sum();
  }

  /** Waits until all three replicas of all partitions are in sync. */
  void awaitInSync() throws Exception {
    try (Admin admin = controller.admin()) {
      Await.until(
          "three replicas are in sync",
          () -> partitions(admin).stream().allMatch(p -> p.isr().size() == BROKERS));
    }
  }

  private static List<TopicPartitionInfo> partitions(Admin admin) throws Exception {
    return admin
        .describeTopics(List.of(TOPIC))
        .allTopicNames()
        .get(60, TimeUnit.SECONDS)
        .get(TOPIC)
        .partitions();
  }

  /** Every acknowledged record by the leaders, and the same batches on every replica. */
  void verify() throws Exception {
    VerificationReport report = Verification.of(workload, Expect.EVERYTHING).run();
    assertThat(report.examples()).isEmpty();
    assertThat(report.clean()).as("%s", report).isTrue();
    assertThat(report.verified()).isEqualTo(report.acknowledged()).isPositive();
    Await.until("replicas are equal", () -> contents().values().stream().distinct().count() == 1);
  }

  private Map<Integer, List<ReplicaContent>> contents() {
    return brokers.keySet().stream()
        .collect(
            Collectors.toMap(
                id -> id,
                id -> {
                  try {
                    return replicas(id);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                }));
  }

  /** Stops the brokers; their files are right. */
  void stop() throws Exception {
    for (HeadpondBroker broker : brokers.values()) {
      broker.awaitReclaimed();
      broker.node().stop();
      broker.verifyFiles();
    }
  }

  @Override
  public void close() throws IOException {
    workload.close();
    brokers.values().forEach(HeadpondBroker::close);
    controller.close();
    for (Mount device : devices.values()) {
      device.close();
    }
    workspace.close();
  }
}
