// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Matrix;
import io.headpond.systemtests.Workspace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker's files, served by one release of Kafka after the other, with the same plug-in. */
@Tag("extra")
class KafkaReleaseChangeIT {

  /** More than the tier holds. */
  private static final int RECORDS_OF_A_LIFE = 20_000;

  /** Upwards, back by one release, as after a failed upgrade, and up again. */
  private static final List<String> RELEASES = List.of("3.9", "4.0", "4.4", "4.0", "4.4");

  @Test
  void noRecordIsLostByUpgradesAndDowngradesOfKafka() throws Exception {
    assumeTrue(
        JavaHome.current().feature() <= Matrix.NEWEST_JAVA_OF_KAFKA_4_0,
        "this Java is too new for Kafka 3.9");
    try (Workspace workspace = Workspace.create("release-change");
        HeadpondBroker broker =
            new HeadpondBroker(
                workspace, Engine.KAFKA.find(RELEASES.get(0)), JavaHome.current(), 1, "logs")) {
      broker.node().set("headpond.tier.fast.capacity", "24MiB").format();
      Workload workload = null;
      for (int life = 0; life < RELEASES.size(); life++) {
        broker.node().release(Engine.KAFKA.find(RELEASES.get(life))).start();
        if (workload == null) {
          workload = workload(broker);
        } else {
          broker.verifyRecords();
        }
        workload.more(RECORDS_OF_A_LIFE).start();
        workload.await();
        assertThat(broker.links()).as("segments in the tier").isPositive();
        if (life % 2 == 0) {
          broker.node().kill();
        } else {
          broker.node().stop();
          broker.verifyFiles();
        }
      }
      broker.node().start();
      assertThat(broker.placement("orders")[1]).as("segments that went home").isPositive();
      broker.verifyEverythingAndLeave();
    }
  }

  private static Workload workload(HeadpondBroker broker) throws Exception {
    WorkloadSettings settings =
        WorkloadSettings.of("orders", 3, 5).compression("lz4").transactions(100).recordsMax(0);
    Topics.create(broker.node(), "orders", 3, 1, Map.of("segment.bytes", "1048576"));
    return broker.add(new Workload(settings, broker.node().clientProperties()), Expect.EVERYTHING);
  }
}
