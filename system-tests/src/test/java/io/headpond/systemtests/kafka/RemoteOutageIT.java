// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.logdir.OwnerLives;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.store.facts.Count;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Monitored;
import io.headpond.systemtests.Workspace;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The remote store of Kafka's tiered storage can't be reached for a while: what waits to be
 * uploaded goes home, producers go on, and when the store is back everything is uploaded.
 *
 * <p>{@code -Dheadpond.remote.outages=N}, {@code -Dheadpond.remote.seconds=N} (of each) and {@code
 * -Dheadpond.remote.rate=N} (of the producer, bytes per second) make it longer.
 */
@Tag("extra")
class RemoteOutageIT {
  private static final int OUTAGES = Integer.getInteger("headpond.remote.outages", 1);
  private static final int SECONDS = Integer.getInteger("headpond.remote.seconds", 15);
  private static final int BYTES_PER_SECOND = Integer.getInteger("headpond.remote.rate", 3 << 20);
  private static final String TOPIC = "remote";
  private static final int PARTITIONS = 2;

  /** More than a task of Kafka's finds to upload while the store works. */
  private static final long USUAL_LAG_BYTES = 8L * RemoteStore.SEGMENT_BYTES;

  private final int jmx;
  private HeadpondBroker broker;
  private RemoteStore remote;
  private OwnerLives lives;
  private Workload workload;

  RemoteOutageIT() throws Exception {
    jmx = Ports.free(1)[0];
  }

  @Test
  void homeAbsorbsAnOutageOfTheRemoteStore() throws Exception {
    try (Workspace workspace = Workspace.create("remote-outage");
        HeadpondBroker made =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker = made;
      remote = new RemoteStore(workspace.folder("remote"));
      lives = new OwnerLives(broker.tier());
      start();
      uploadsFromTheFastTier();
      for (int i = 1; i <= OUTAGES; i++) {
        outage(i);
      }
      workload.stop();
      assertThat(workload.failures()).as("%s", workload.errors()).isZero();
      Await.until("nothing waits to be uploaded", () -> lagBytes() == 0);
      lives.look();
      assertThat(lives.sum(Count.MIGRATION_FAILURES)).as("%s", broker.node().tail()).isZero();
      assertThat(lives.sum(Count.OVERFLOW_SEGMENTS)).isZero();
      broker.verifyEverythingAndLeave();
    }
  }

  private void start() throws Exception {
    remote.serve(broker);
    Monitored.jmxArguments(jmx).forEach(broker.node()::jvmArgument);
    broker.node().set("headpond.tier.fast.capacity", "48MiB").format().start();
    // What both partitions keep fits below the tier's threshold.
    RemoteStore.createTopic(broker, TOPIC, PARTITIONS, 3 * RemoteStore.SEGMENT_BYTES);
    workload =
        broker.add(
            new Workload(
                WorkloadSettings.of(TOPIC, PARTITIONS, 19).bytesPerSecond(BYTES_PER_SECOND),
                broker.node().clientProperties()),
            Expect.EVERYTHING);
    workload.start();
  }

  /** While the store works no segment ever goes home. */
  private void uploadsFromTheFastTier() throws Exception {
    Map<TopicPartition, Long> ends = ends();
    awaitUploadedAndDeleted(ends);
    Await.until("some are only in the remote store", () -> remote.segments() >= 16);
    lives.look();
    assertThat(broker.placement(TOPIC)[1]).as("segments at home").isZero();
    assertThat(lives.sum(Count.DOWN_SEGMENTS)).isZero();
  }

  private void outage(int number) throws Exception {
    lives.look();
    final long downBefore = lives.sum(Count.DOWN_SEGMENTS);
    final double p99Before = p99Ms();
    remote.fail();
    final long acknowledgedBefore = workload.acknowledgedBytes();
    final long uploadedBefore = remote.segments();
    final long began = System.nanoTime();
    while (System.nanoTime() < began + Duration.ofSeconds(SECONDS).toNanos()) {
      long seen = workload.acknowledgedRecords();
      Await.until(
          "producers go on without the remote store",
          () -> workload.acknowledgedRecords() > seen + 1_000 || workload.failures() > 0);
      assertThat(workload.failures()).as("%s", workload.errors()).isZero();
    }
    Await.until("segments wait at home", () -> broker.placement(TOPIC)[1] >= 8);
    final double seconds = (System.nanoTime() - began) / 1e9;
    final long written = workload.acknowledgedBytes() - acknowledgedBefore;
    final double p99 = p99Ms();
    lives.look();
    assertThat(lives.sum(Count.DOWN_SEGMENTS)).isGreaterThan(downBefore);
    assertThat(remote.segments()).as("uploads").isLessThanOrEqualTo(uploadedBefore + PARTITIONS);
    // What an operator watches: Kafka's own figure.
    Await.until("the lag is what was written", () -> lagBytes() > written * 0.8 - 1e6);
    final double lag = lagBytes();
    final long waiting = broker.placement(TOPIC)[1];
    final Map<TopicPartition, Long> ends = ends();
    remote.recover();
    final long back = System.nanoTime();
    awaitUploadedAndDeleted(ends);
    Await.until("nothing lies at home", () -> broker.placement(TOPIC)[1] == 0);
    Await.until("the lag is as before", () -> lagBytes() < USUAL_LAG_BYTES);
    System.out.printf(
        "RemoteOutageIT: outage %d of %d: %.0f s, %.1f MiB written, %.1f MiB waited (Kafka's"
            + " RemoteCopyLagBytes), %d segments at home; all uploaded and deleted here %.1f s"
            + " later; P99 of acknowledgements %.1f ms, before %.1f ms%n",
        number,
        OUTAGES,
        seconds,
        written / 1048576.0,
        lag / 1048576.0,
        waiting,
        (System.nanoTime() - back) / 1e9,
        p99,
        p99Before);
  }

  /** Of all since the last call, milliseconds. */
  private double p99Ms() {
    Histogram interval = workload.latencyInterval();
    return interval.getValueAtPercentile(99) / 1e6;
  }

  private double lagBytes() throws Exception {
    return Monitored.ofBean(
        jmx,
        "kafka.server:type=BrokerTopicMetrics,name=RemoteCopyLagBytes,topic=" + TOPIC,
        "Value");
  }

  private Map<TopicPartition, Long> ends() throws Exception {
    Map<TopicPartition, Long> ends = new HashMap<>();
    try (Admin admin = broker.node().admin()) {
      for (int p = 0; p < PARTITIONS; p++) {
        TopicPartition partition = new TopicPartition(TOPIC, p);
        ends.put(partition, RemoteStore.offset(admin, partition, OffsetSpec.latest()));
      }
    }
    return ends;
  }

  /** Waits until everything below these offsets is in the remote store alone. */
  private void awaitUploadedAndDeleted(Map<TopicPartition, Long> ends) throws Exception {
    try (Admin admin = broker.node().admin()) {
      for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
        TopicPartition partition = end.getKey();
        while (RemoteStore.firstLocalOffset(admin, partition) < end.getValue()) {
          long seen = RemoteStore.firstLocalOffset(admin, partition);
          Await.until(
              "more of " + partition + " is only in the remote store",
              () -> RemoteStore.firstLocalOffset(admin, partition) > seen);
        }
      }
    }
  }
}
