// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that has run without Headpond, and then is started with it. */
@Tag("extra")
class ExistingLogIT {
  private HeadpondBroker broker;

  @Test
  void enablingHeadpondMovesNoneOfTheDataThatAreThere() throws Exception {
    try (Workspace workspace = Workspace.create("existing");
        HeadpondBroker made =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker = made;
      broker.node().vanilla().format().start();
      written("old");
      broker.node().stop();
      broker.node().with(PlugIn.find(PlugIn.Start.AGENT)).start();
      written("new");
      assertThat(broker.placement("new")[0]).as("new segments in the tier").isGreaterThan(2);
      assertThat(broker.placement("old")[0]).as("old segments in the tier").isZero();
      assertThat(Files.readString(broker.node().log()))
          .contains("WARN headpond HP0205 tier fast: ");
      broker.node().stop();
      broker.node().set("headpond.migrate.pin.up", "old").start();
      Await.until("as it is told to, they come up", () -> broker.placement("old")[0] > 2);
      broker.verifyEverythingAndLeave();
    }
  }

  private void written(String topic) throws Exception {
    Topics.create(broker.node(), topic, 2, 1, Map.of("segment.bytes", "1048576"));
    broker
        .add(
            new Workload(
                WorkloadSettings.of(topic, 2, 3).recordsMax(12_000),
                broker.node().clientProperties()),
            Expect.EVERYTHING)
        .start()
        .await();
  }
}
