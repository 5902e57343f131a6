// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.logdir.OwnerLives;
import io.headpond.harness.kafka.Follower;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.facts.Count;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three tiers, each too small for what is written, and a broker that is killed again and again
 * while segments move between them: bursts, transactions, compaction and deleted topics.
 *
 * <p>{@code -Dheadpond.migration.rounds=N} and {@code -Dheadpond.migration.seed=N} run it longer,
 * or again, {@code -Dheadpond.migration.policies=freshness,heat} with these policies.
 */
class MigrationIT {

  private static final int ROUNDS = Integer.getInteger("headpond.migration.rounds", 2);
  private static final long SEED = Long.getLong("headpond.migration.seed", System.nanoTime());
  private static final String POLICIES =
      System.getProperty("headpond.migration.policies", "freshness");
  private static final int BURST_RECORDS = 16_000;

  /** As small as Kafka takes, and the log's end rolls often. */
  private static final String SEGMENT_BYTES = "1048576";

  private final Random random = new Random(SEED);
  private HeadpondBroker broker;
  private OwnerLives lives;
  private Workload burst;
  private Workload orders;
  private Workload compacted;

  static Stream<String> policies() {
    return Stream.of(POLICIES.split(","));
  }

  @ParameterizedTest(name = "policy {0}")
  @MethodSource("policies")
  void noAcknowledgedRecordIsLostByKillsWhileSegmentsMove(String policy) throws Exception {
    System.out.printf("MigrationIT: policy %s, seed %d%n", policy, SEED);
    try (Workspace workspace = Workspace.create("migration");
        HeadpondBroker made = broker(workspace, policy)) {
      broker = made;
      lives = new OwnerLives(broker.tier());
      broker.node().format().start();
      workloads();
      orders.start();
      compacted.start();
      try (Follower backlog = new Follower(burst)) {
        for (int round = 0; round < ROUNDS; round++) {
          round(round);
        }
        Await.until("the backlog is read", () -> backlog.whole() >= burst.acknowledgedRecords());
        assertThat(backlog.corrupt()).as("seed %d", SEED).isZero();
        assertThat(backlog.error()).isEmpty();
      }
      orders.stop();
      compacted.stop();
      movedBothWays();
      broker.verifyFiles();
      standStill();
      broker.verifyEverythingAndLeave();
    }
  }

  private static HeadpondBroker broker(Workspace workspace, String policy) throws Exception {
    HeadpondBroker broker =
        new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs");
    broker.tierBelow("ssd", workspace.folder("ssd"), "48MiB");
    broker
        .node()
        .set("headpond.tier.fast.capacity", "24MiB")
        .set("headpond.migrate.policy", policy)
        .jvmArgument("-Dheadpond.internal.heat.half.life=5s")
        .jvmArgument("-Dheadpond.internal.up.after=0s")
        // A copy takes long enough to be met by a kill.
        .set("headpond.migrate.bytes.per.second", "24MiB")
        .set("broker.session.timeout.ms", "2000")
        .set("broker.heartbeat.interval.ms", "200");
    return broker;
  }

  private void workloads() throws Exception {
    burst = workload("burst", 3, WorkloadSettings.of("burst", 3, SEED).recordsMax(0));
    orders =
        workload(
            "orders",
            2,
            WorkloadSettings.of("orders", 2, SEED + 1)
                .compression("lz4")
                .transactions(50)
                .bytesPerSecond(1 << 20));
    Topics.create(
        broker.node(),
        "compacted",
        1,
        1,
        Map.of(
            "segment.bytes",
            SEGMENT_BYTES,
            "cleanup.policy",
            "compact",
            "min.cleanable.dirty.ratio",
            "0.01",
            "file.delete.delay.ms",
            "500"));
    compacted =
        broker.add(
            new Workload(
                WorkloadSettings.of("compacted", 1, SEED + 2).keys(400).bytesPerSecond(1 << 20),
                broker.node().clientProperties()),
            Expect.LATEST_PER_KEY);
  }

  private Workload workload(String topic, int partitions, WorkloadSettings settings)
      throws Exception {
    Topics.create(
        broker.node(),
        topic,
        partitions,
        1,
        Map.of("segment.bytes", SEGMENT_BYTES, "file.delete.delay.ms", "500"));
    return broker.add(new Workload(settings, broker.node().clientProperties()), Expect.EVERYTHING);
  }

  /** A burst, a kill in it or after it, a start; now and then a topic that goes while it moves. */
  private void round(int round) throws Exception {
    long before = burst.acknowledgedRecords();
    burst.more(BURST_RECORDS).start();
    if (round % 3 == 1) {
      deletedTopic("passing-" + round);
    }
    burst.awaitAcknowledged(before + 1 + random.nextInt(BURST_RECORDS));
    if (random.nextBoolean()) {
      Await.until("a segment is being copied", broker::copying);
    }
    lives.look();
    broker.node().kill();
    broker.node().start();
    burst.await();
    assertThat(burst.acknowledgedRecords())
        .as("seed %d: %s", SEED, burst.errors())
        .isEqualTo(before + BURST_RECORDS);
    if (round == ROUNDS / 2) {
      broker.verifyRecords(burst, Expect.EVERYTHING);
    }
  }

  private void deletedTopic(String topic) throws Exception {
    Workload passing =
        workload(
            topic, 2, WorkloadSettings.of(topic, 2, SEED + topic.hashCode()).recordsMax(8_000));
    passing.start().await();
    assertThat(passing.acknowledgedRecords()).as("%s", passing.errors()).isEqualTo(8_000);
    broker.verifyRecords(passing, Expect.EVERYTHING);
    broker.forget(passing);
    delete(topic);
  }

  private void delete(String topic) throws Exception {
    try (Admin admin = broker.node().admin()) {
      admin.deleteTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
    }
  }

  /**
   * Reading everything moves segments too if the policy is heat; what stops in the middle of a move
   * leaves a copy for the next start to put away.
   */
  private void standStill() throws Exception {
    broker.node().stop();
    broker.verifyFiles();
    broker
        .node()
        .set("headpond.tier.fast.migrate.threshold", "-1")
        .set("headpond.tier.ssd.migrate.threshold", "-1")
        .start();
  }

  /** When the load has ended, and what was written last makes room, something comes up again. */
  private void movedBothWays() throws Exception {
    Workload last =
        workload("last", 1, WorkloadSettings.of("last", 1, SEED + 3).recordsMax(12_000));
    last.start().await();
    broker.verifyRecords(last, Expect.EVERYTHING);
    broker.forget(last);
    delete("last");
    Await.until(
        "segments move up again",
        () -> {
          lives.look();
          return lives.sum(Count.UP_BYTES) > 0;
        });
    System.out.printf(
        "MigrationIT: down %d segments, %d B; up %d segments, %d B; failed %d%n",
        lives.sum(Count.DOWN_SEGMENTS),
        lives.sum(Count.DOWN_BYTES),
        lives.sum(Count.UP_SEGMENTS),
        lives.sum(Count.UP_BYTES),
        lives.sum(Count.MIGRATION_FAILURES));
    assertThat(lives.sum(Count.DOWN_BYTES)).isGreaterThan((long) ROUNDS * BURST_RECORDS * 100);
    assertThat(lives.sum(Count.MIGRATION_FAILURES)).as("%s", broker.node().tail()).isZero();
  }
}
