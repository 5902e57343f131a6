// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.logdir.OwnerLives;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.facts.Count;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kafka's own tiered storage (KIP-405) over Headpond's tiers: it copies segments to a remote
 * storage while they migrate, and deletes them here.
 */
@Tag("extra")
class RemoteStorageIT {

  private static final String TOPIC = "remote";
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 60_000;

  @Test
  void migratingSegmentsThatKafkaCopiesAndDeletesStayReadable() throws Exception {
    try (Workspace workspace = Workspace.create("remote");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      RemoteStore remote = new RemoteStore(workspace.folder("remote"));
      OwnerLives lives = new OwnerLives(broker.tier());
      broker.tierBelow("ssd", workspace.folder("ssd"), "16MiB");
      broker.node().set("headpond.tier.fast.capacity", "16MiB");
      remote.serve(broker);
      broker.node().format().start();
      // More than what may stay in the fast tier: segments move down before they go.
      RemoteStore.createTopic(broker, TOPIC, PARTITIONS, 10 << 20);
      Workload workload =
          broker.add(
              new Workload(
                  WorkloadSettings.of(TOPIC, PARTITIONS, 405)
                      .recordsMax(RECORDS)
                      .bytesPerSecond(12 << 20),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      workload.start().awaitAcknowledged(RECORDS / 2);
      lives.look();
      broker.node().kill();
      broker.node().start();
      workload.await();
      assertThat(workload.acknowledgedRecords()).as("%s", workload.errors()).isEqualTo(RECORDS);
      awaitDeletedHere(broker);
      assertThat(remote.segments()).as("segments in the remote storage").isGreaterThan(10);
      broker.verifyRecords();
      lives.look();
      assertThat(lives.sum(Count.DOWN_BYTES)).isPositive();
      assertThat(lives.sum(Count.MIGRATION_FAILURES)).as("%s", broker.node().tail()).isZero();
      broker.awaitReclaimed();
      broker.verifyEverythingAndLeave();
    }
  }

  /** Waits until every partition's first local record is no longer its first one. */
  private static void awaitDeletedHere(HeadpondBroker broker) throws Exception {
    try (Admin admin = broker.node().admin()) {
      for (int p = 0; p < PARTITIONS; p++) {
        TopicPartition partition = new TopicPartition(TOPIC, p);
        Await.until(
            "the first segments of " + partition + " are only in the remote storage",
            () -> RemoteStore.firstLocalOffset(admin, partition) > RECORDS / PARTITIONS / 4);
      }
    }
  }
}
