// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The topics of one lap and what is written to them: bursts, transactions and a compacted topic.
 * They are new in each lap, so that what is remembered of them doesn't grow for hours. One thread.
 */
final class SoakLoad implements AutoCloseable {
  private static final String SEGMENT_BYTES = "1048576";
  private static final long STEADY_BYTES_PER_SECOND = 1 << 20;

  private final KafkaNode node;
  private final Map<Workload, Expect> workloads = new LinkedHashMap<>();
  private final int lap;
  private final long seed;
  private final Workload bursts;
  private int passing;

  /** Creates the topics; nothing is written yet. */
  SoakLoad(KafkaNode node, int lap, long seed) throws IOException, InterruptedException {
    this.node = node;
    this.lap = lap;
    this.seed = seed;
    bursts = add(settings("bursts", 3).recordsMax(0), Map.of(), Expect.EVERYTHING);
    add(
        settings("orders", 2)
            .compression("lz4")
            .transactions(50)
            .bytesPerSecond(STEADY_BYTES_PER_SECOND),
        Map.of(),
        Expect.EVERYTHING);
    add(
        settings("compacted", 1).keys(400).bytesPerSecond(STEADY_BYTES_PER_SECOND),
        Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"),
        Expect.LATEST_PER_KEY);
  }

  private WorkloadSettings settings(String name, int partitions) {
    return WorkloadSettings.of(
        name + "-" + lap, partitions, seed * 31 + lap * 7919L + name.hashCode());
  }

  private Workload add(WorkloadSettings settings, Map<String, String> more, Expect expect)
      throws IOException, InterruptedException {
    Workload workload = create(settings, more);
    workloads.put(workload, expect);
    return workload;
  }

  private Workload create(WorkloadSettings settings, Map<String, String> more)
      throws IOException, InterruptedException {
    Map<String, String> configuration = new LinkedHashMap<>(more);
    configuration.put("segment.bytes", SEGMENT_BYTES);
    configuration.put("file.delete.delay.ms", "500");
    Topics.create(node, settings.topic(), settings.partitions(), 1, configuration);
    return new Workload(settings, node.clientProperties());
  }

  /** Starts what is written all the time. */
  void startSteady() {
    steady().forEach(Workload::start);
  }

  private List<Workload> steady() {
    return workloads.keySet().stream().filter(workload -> workload != bursts).toList();
  }

  /** Ends it, when all that was sent is answered. */
  void stop() throws InterruptedException {
    for (Workload workload : steady()) {
      workload.stop();
    }
    bursts.await();
  }

  /** Starts to write so many records more, as fast as they are taken. */
  void burst(int records) {
    bursts.more(records).start();
  }

  /** The workload of bursts. */
  Workload bursts() {
    return bursts;
  }

  /** Records of bursts that the broker has acknowledged or refused, or hasn't answered in time. */
  long burstsAnswered() {
    return bursts.acknowledgedRecords() + bursts.failures();
  }

  /** Writes a topic, compares it and deletes it. */
  VerificationReport passingTopic(int records) throws IOException, InterruptedException {
    Workload workload = create(settings("passing-" + passing++, 2).recordsMax(records), Map.of());
    try {
      workload.start().await();
      VerificationReport report = Verification.of(workload, Expect.EVERYTHING).run();
      Topics.delete(node, workload.settings().topic());
      return report;
    } finally {
      workload.close();
    }
  }

  /** Reads everything and compares it with what was acknowledged. */
  VerificationReport verify() throws IOException {
    VerificationReport all = VerificationReport.EMPTY;
    for (Map.Entry<Workload, Expect> each : workloads.entrySet()) {
      all = all.plus(Verification.of(each.getKey(), each.getValue()).run());
    }
    return all;
  }

  /** Records acknowledged in this lap. */
  long acknowledged() {
    return workloads.keySet().stream().mapToLong(Workload::acknowledgedRecords).sum();
  }

  /** The reasons why something wasn't acknowledged. */
  List<String> errors() {
    List<String> all = new ArrayList<>();
    workloads.keySet().forEach(workload -> all.addAll(workload.errors()));
    return all;
  }

  /** Deletes the lap's topics. */
  void delete() throws IOException, InterruptedException {
    for (Workload workload : workloads.keySet()) {
      Topics.delete(node, workload.settings().topic());
    }
  }

  @Override
  public void close() {
    workloads.keySet().forEach(Workload::close);
  }
}
