// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many quiet logs on one broker: what they cost in mappings, files, memory and start time has
 * limits.
 *
 * <p>{@code -Dheadpond.test.partitions=N} sets how many they are.
 */
@Tag("extra")
class ManyPartitionsIT {

  private static final int PARTITIONS = Integer.getInteger("headpond.test.partitions", 300);

  /** Kafka's two indexes and Headpond's one mapping per active segment. */
  private static final int MAPPINGS_PER_PARTITION = 3;

  /** The segment's channel, and the one that grows it. */
  private static final int FILES_PER_PARTITION = 2;

  private static final Duration DELIVERY_LIMIT = Duration.ofMinutes(10);

  private static final int MAPPINGS_OF_A_BROKER = 2_000;
  private static final int FILES_OF_A_BROKER = 1_000;

  @Test
  void manyPartitionsStayWithinTheirLimits() throws Exception {
    partitions(PARTITIONS, 512, Duration.ofSeconds(60));
  }

  @Test
  void tenThousandPartitionsStayWithinTheirLimits() throws Exception {
    partitions(10_000, 3_072, Duration.ofSeconds(300));
  }

  private static void partitions(int partitions, int heapMiB, Duration startLimit)
      throws Exception {
    try (Workspace workspace = Workspace.create("many");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker
          .node()
          .heapMiB(heapMiB)
          .set("headpond.tier.fast.capacity", "6GiB")
          .set("broker.session.timeout.ms", "18000")
          .format()
          .start();
      // Kafka refuses to make 10,000 in one request.
      Topics.create(broker.node(), "many", Math.min(partitions, 5_000), 1, Map.of());
      if (partitions > 5_000) {
        try (Admin admin = broker.node().admin()) {
          admin
              .createPartitions(Map.of("many", NewPartitions.increaseTo(partitions)))
              .all()
              .get(120, TimeUnit.SECONDS);
        }
      }
      Workload workload =
          new Workload(
              WorkloadSettings.of("many", partitions, 6)
                  .keys(100L * partitions)
                  .recordsMax(20L * partitions),
              patient(broker.node().clientProperties()));
      broker.add(workload, Expect.EVERYTHING).start().await();
      assertThat(workload.failures()).as("%s", workload.errors()).isZero();
      assertThat(broker.placement("many")[0]).as("segments in the tier").isEqualTo(partitions);
      long tierBytes = physicalBytes(broker);
      assertThat(tierBytes)
          .as("bytes the tier gave to quiet logs")
          .isLessThan(partitions * 512L * 1024);
      withinLimits(broker, partitions);
      broker.node().kill();
      long start = System.nanoTime();
      broker.node().start();
      Duration started = Duration.ofNanos(System.nanoTime() - start);
      System.out.printf(
          "%d partitions: %d mappings, %d files, tier %d KiB per partition, start after a kill %d ms%n",
          partitions,
          mappings(broker),
          files(broker),
          tierBytes / partitions / 1024,
          started.toMillis());
      assertThat(started).isLessThan(startLimit);
      withinLimits(broker, partitions);
      broker.verifyEverythingAndLeave();
    }
  }

  /**
   * So many partitions have a few records each; a busy machine may need long to get to them all.
   */
  private static Map<String, Object> patient(Map<String, Object> client) {
    client.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) DELIVERY_LIMIT.toMillis());
    return client;
  }

  private static long physicalBytes(HeadpondBroker broker) throws IOException {
    long sum = 0;
    for (Path file : broker.tierFiles()) {
      sum += Files.size(file);
    }
    return sum;
  }

  private static void withinLimits(HeadpondBroker broker, int partitions) throws Exception {
    long mappings = MAPPINGS_PER_PARTITION * partitions + MAPPINGS_OF_A_BROKER;
    // A log that goes on to its next window has both mapped for a moment.
    Await.until("at most " + mappings + " mappings", () -> mappings(broker) < mappings);
    assertThat(files(broker)).isLessThan(FILES_PER_PARTITION * partitions + FILES_OF_A_BROKER);
  }

  private static long mappings(HeadpondBroker broker) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + broker.node().pid() + "/maps"))) {
      return lines.count();
    }
  }

  private static long files(HeadpondBroker broker) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + broker.node().pid() + "/fd"))) {
      return files.count();
    }
  }
}
