// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.logdir.OwnerCounters;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Workspace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A broker is told to stop while it appends, deletes and migrates. */
class CleanStopIT {

  private static final int ROUNDS = 2;

  @Test
  void noFileIsLeftThatNoNameLeadsTo() throws Exception {
    try (Workspace workspace = Workspace.create("stop");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker
          .node()
          .set("headpond.tier.fast.capacity", "32MiB")
          .set("headpond.tier.fast.migrate.threshold", "0.3")
          .set("log.retention.check.interval.ms", "50")
          .format()
          .start();
      Topics.create(
          broker.node(),
          "passing",
          4,
          1,
          Map.of(
              "segment.bytes",
              "1048576",
              "retention.bytes",
              "3145728",
              "file.delete.delay.ms",
              "0"));
      Workload workload =
          broker.add(
              new Workload(
                  WorkloadSettings.of("passing", 4, 7).bytesPerSecond(48 << 20),
                  broker.node().clientProperties()),
              Expect.FROM_LOG_START);
      workload.start();
      for (int round = 0; round < ROUNDS; round++) {
        workload.awaitAcknowledged(workload.acknowledgedRecords() + 40_000);
        broker.node().stop();
        assertThat(broker.copying()).as("files that no name leads to").isFalse();
        broker.node().start();
        assertThat(
                OwnerCounters.newest(List.of(broker.tier()))
                    .orElseThrow()
                    .find("quarantined.files"))
            .hasValue(0);
      }
      workload.stop();
      broker.verifyRecords();
      broker.node().stop();
      broker.verifyFiles();
    }
  }
}
