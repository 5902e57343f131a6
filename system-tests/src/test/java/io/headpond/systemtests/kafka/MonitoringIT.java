// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.store.layout.LogDirScan;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Monitored;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a real broker shows of Headpond. */
@Tag("extra")
class MonitoringIT {
  private static final int PARTITIONS = 3;

  @Test
  void aBrokerShowsWhatItAppends() throws Exception {
    int port = Ports.free(1)[0];
    try (Workspace workspace = Workspace.create("monitoring");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker.node().set("headpond.metrics.topics", "5").format();
      Monitored.jmxArguments(port).forEach(broker.node()::jvmArgument);
      broker.node().start();
      Topics.create(broker.node(), "orders", PARTITIONS, 1, Map.of("segment.bytes", "1048576"));
      Workload orders =
          broker.add(
              new Workload(
                  WorkloadSettings.of("orders", PARTITIONS, 1).bytesPerSecond(4 << 20),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      orders.start();
      orders.awaitAcknowledged(4_000);
      String tier = "type=Tier,tier=fast";
      assertThat(Monitored.overJmx(port, tier, "appended-bytes-total")).isPositive();
      assertThat(Monitored.overJmx(port, "type=Append", "time-ms-p99")).isPositive();
      orders.stop();
      commandsSayTheSame(broker, port);
      kafkasOwnFiguresAreThoseOfTheLogAndOfTheHomeDisk(broker);
      broker.verifyRecords();
      broker.node().stop();
    }
  }

  /** {@code status} of topics and of a partition, beside the broker. */
  private static void commandsSayTheSame(HeadpondBroker broker, int port) throws Exception {
    Await.until("both show the last second", () -> topicCountsAsTheBean(broker, port));
    JsonNode segments = status(broker).at("/partition/segments");
    assertThat(segments.size()).isGreaterThan(1);
    int number = 0;
    for (JsonNode segment : segments) {
      assertThat(segment.get("tier").asText()).isEqualTo("fast");
      assertThat(segment.get("next").asText()).isEqualTo("stays");
      assertThat(segment.get("reason").asText())
          .isEqualTo(++number < segments.size() ? "below_threshold" : "active");
    }
  }

  private static boolean topicCountsAsTheBean(HeadpondBroker broker, int port) throws Exception {
    JsonNode status = status(broker);
    assertThat(status.get("topics_hint").isNull()).isTrue();
    assertThat(status.at("/topics/0/name").asText()).isEqualTo("orders");
    double segments = Monitored.overJmx(port, "type=Topic,topic=orders,tier=fast", "segments");
    return segments > PARTITIONS && status.at("/topics/0/places/0/segments").asDouble() == segments;
  }

  private static JsonNode status(HeadpondBroker broker) throws IOException {
    HeadpondBroker.Command command =
        HeadpondBroker.headpond(
            "status", broker.logDirs(), "--topics", "--partition", "orders-0", "--json");
    assertThat(command.exitCode()).as(command.output()).isZero();
    return new ObjectMapper().readTree(command.output());
  }

  /** As docs/monitoring.md says. */
  private static void kafkasOwnFiguresAreThoseOfTheLogAndOfTheHomeDisk(HeadpondBroker broker)
      throws Exception {
    Path logDir = broker.logDirs().get(0);
    LogDirDescription described;
    try (Admin admin = broker.node().admin()) {
      described =
          admin
              .describeLogDirs(List.of(broker.node().id()))
              .allDescriptions()
              .get(30, TimeUnit.SECONDS)
              .get(broker.node().id())
              .values()
              .iterator()
              .next();
    }
    FileStore home = Files.getFileStore(logDir);
    assertThat(described.totalBytes()).hasValue(home.getTotalSpace());
    assertThat(described.totalBytes().getAsLong())
        .isNotEqualTo(Files.getFileStore(broker.tier()).getTotalSpace());
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<LogDirScan.Entry> log = LogDirScan.segments(logDir.resolve("orders-" + partition));
      long sealed =
          log.subList(0, log.size() - 1).stream().mapToLong(LogDirScan.Entry::bytes).sum();
      assertThat(described.replicaInfos().get(new TopicPartition("orders", partition)).size())
          .as("all segments, those in the tier too, without what is grown ahead")
          .isGreaterThanOrEqualTo(sealed)
          .isLessThanOrEqualTo(sealed + log.get(log.size() - 1).bytes());
    }
  }
}
