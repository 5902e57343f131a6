// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.kafka.Follower;
import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;

/**
 * The load of the demo: two producers of keyed events, one of compressed orders in transactions,
 * and a consumer on each topic that compares what it reads. A later consumer begins with the oldest
 * record.
 */
final class DemoLoad implements AutoCloseable {

  private static final int EVENT_PARTITIONS = 6;
  private static final int ORDER_PARTITIONS = 4;
  private static final long BUFFER_BYTES = 2 << 20;
  private static final int KEYS = 100_000;

  private final List<Workload> workloads = new ArrayList<>();
  private final List<Follower> followers = new CopyOnWriteArrayList<>();
  private final List<Follower> backlog = new CopyOnWriteArrayList<>();
  private volatile long backlogRecords;
  private volatile Verification verification;
  private volatile long verifiedBefore;

  /**
   * Creates the topics; nothing is produced yet.
   *
   * @param segmentBytes size at which the broker rolls a segment
   * @param bytesPerSecond limit over all producers
   */
  DemoLoad(KafkaNode node, long segmentBytes, long bytesPerSecond, long seed)
      throws IOException, InterruptedException {
    Map<String, String> configuration = Map.of("segment.bytes", Long.toString(segmentBytes));
    Topics.create(node, "events", EVENT_PARTITIONS, 1, configuration);
    Topics.create(node, "orders", ORDER_PARTITIONS, 1, configuration);
    workloads.add(
        new Workload(
            WorkloadSettings.of("events", EVENT_PARTITIONS, seed)
                .producers(2)
                .keys(KEYS)
                .bufferBytes(BUFFER_BYTES)
                .bytesPerSecond(bytesPerSecond * 3 / 4),
            node.clientProperties()));
    workloads.add(
        new Workload(
            WorkloadSettings.of("orders", ORDER_PARTITIONS, seed + 1)
                .compression("lz4")
                .transactions(500)
                .keys(KEYS)
                .bufferBytes(BUFFER_BYTES)
                .bytesPerSecond(bytesPerSecond / 4),
            node.clientProperties()));
  }

  /** Starts the consumers that follow the producers. */
  void follow() {
    workloads.forEach(w -> followers.add(new Follower(w)));
  }

  /** Starts the producers. */
  void produce() {
    workloads.forEach(Workload::start);
  }

  /** Stops the producers; what was sent is answered then. */
  void pause() throws InterruptedException {
    for (Workload workload : workloads) {
      workload.stop();
    }
  }

  /** Starts one more consumer on each topic, from its beginning. */
  void readBacklog() {
    backlogRecords = acknowledgedRecords();
    workloads.forEach(w -> backlog.add(new Follower(w)));
  }

  /** True when the backlog's consumers have read all that was there when they began. */
  boolean backlogRead() {
    return backlogReadRecords() >= backlogRecords
        || backlog.stream().anyMatch(f -> !f.error().isEmpty());
  }

  /** Records that the backlog's consumers have compared. */
  long backlogReadRecords() {
    return backlog.stream().mapToLong(Follower::whole).sum();
  }

  /** Stops the consumers. */
  void stop() throws InterruptedException {
    for (Follower follower : consumers()) {
      follower.stop();
    }
  }

  private List<Follower> consumers() {
    List<Follower> all = new ArrayList<>(followers);
    all.addAll(backlog);
    return all;
  }

  /** Reads everything from the start and compares it with what was acknowledged. */
  VerificationReport verify() throws IOException {
    VerificationReport all = VerificationReport.EMPTY;
    for (Workload workload : workloads) {
      verification = Verification.of(workload, Expect.EVERYTHING);
      all = all.plus(verification.run());
      verifiedBefore += verification.recordsRead();
      verification = null;
    }
    return all;
  }

  /** Records acknowledged so far. */
  long acknowledgedRecords() {
    return workloads.stream().mapToLong(Workload::acknowledgedRecords).sum();
  }

  /** Their keys and values, bytes. */
  long acknowledgedBytes() {
    return workloads.stream().mapToLong(Workload::acknowledgedBytes).sum();
  }

  /** Records the consumers have compared so far, or, once it runs, the verification. */
  long comparedRecords() {
    Verification running = verification;
    long verified = verifiedBefore + (running == null ? 0 : running.recordsRead());
    return verified > 0 || running != null
        ? verified
        : consumers().stream().mapToLong(Follower::whole).sum();
  }

  /** Records that the consumers found to differ while the burst ran. */
  long corruptRecords() {
    return consumers().stream().mapToLong(Follower::corrupt).sum();
  }

  /** Bytes the consumers have read so far. */
  long consumedBytes() {
    return consumers().stream().mapToLong(Follower::bytes).sum();
  }

  /** Errors of producers and consumers that ended one of them. */
  List<String> errors() {
    List<String> all = new ArrayList<>();
    workloads.forEach(w -> all.addAll(w.errors()));
    consumers().stream().map(Follower::error).filter(e -> !e.isEmpty()).forEach(all::add);
    return all;
  }

  /** Latencies since the last call, nanoseconds. */
  Histogram latencyInterval() {
    Histogram all = new Histogram(3);
    workloads.forEach(w -> all.add(w.latencyInterval()));
    return all;
  }

  @Override
  public void close() {
    workloads.forEach(Workload::close);
    consumers().forEach(Follower::close);
  }
}
