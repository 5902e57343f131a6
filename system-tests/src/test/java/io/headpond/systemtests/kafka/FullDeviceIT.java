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
import io.headpond.harness.process.Mount;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tier without room, by configuration and by its device, and a home without room. */
@Tag("extra")
class FullDeviceIT {

  private static final Map<String, String> LARGE_SEGMENTS = Map.of("segment.bytes", "16777216");

  @Test
  void aTierThatFillsInTheMiddleOfASegmentOverflowsAndLosesNothing() throws Exception {
    try (Workspace workspace = Workspace.create("full");
        HeadpondBroker broker = broker(workspace)) {
      broker.node().set("headpond.tier.fast.capacity", "24MiB");
      overflow(broker);
      broker.verifyWhereverItIsAndLeave();
    }
  }

  @Test
  void aDeviceSmallerThanItsTiersCapacityOverflowsAndLosesNothing() throws Exception {
    assumeTrue(Mount.possible(), "mounting needs root");
    try (Workspace workspace = Workspace.create("device");
        Mount mount = Mount.tmpfs(workspace.tier("device"), 24);
        HeadpondBroker broker = broker(workspace)) {
      broker.tier(Files.createDirectory(mount.folder().resolve("tier")));
      broker.node().set("headpond.tier.fast.capacity", "24MiB");
      // Bytes of somebody else on the same device: what the configuration allows isn't there.
      Path others = Files.write(mount.folder().resolve("others"), new byte[8 << 20]);
      overflow(broker);
      assertThat(others).hasSize(8 << 20);
      broker.verifyWhereverItIsAndLeave();
    }
  }

  @Test
  void aFullHomeLosesNothingThatWasAcknowledged() throws Exception {
    assumeTrue(Mount.possible(), "mounting needs root");
    try (Workspace workspace = Workspace.create("home")) {
      Path home = workspace.folder("logs");
      try (Mount mount = Mount.tmpfs(home, 24);
          HeadpondBroker broker = broker(workspace)) {
        broker
            .node()
            .set("headpond.tier.fast.capacity", "16MiB")
            .setForClients("delivery.timeout.ms", "12000")
            .setForClients("request.timeout.ms", "6000")
            .format()
            .start();
        Topics.create(broker.node(), "flood", 2, 1, LARGE_SEGMENTS);
        Workload workload =
            broker.add(
                new Workload(
                    WorkloadSettings.of("flood", 2, 23).recordsMax(80_000),
                    broker.node().clientProperties()),
                Expect.EVERYTHING);
        workload.start();
        Await.until(
            "home is full, and the broker says so",
            () -> workload.failures() > 0 || !broker.node().running());
        workload.close();
        broker.node().kill();
        workload.await();
        assertThat(workload.acknowledgedBytes()).isGreaterThan(16L << 20);
        mount.resize(400);
        broker.node().start();
        broker.verifyWhereverItIsAndLeave();
      }
    }
  }

  /** Without migration, which would make room before the tier is full. */
  private static HeadpondBroker broker(Workspace workspace) throws Exception {
    HeadpondBroker broker =
        new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs");
    broker.node().set("headpond.tier.fast.migrate.threshold", "-1");
    return broker;
  }

  private static void overflow(HeadpondBroker broker) throws Exception {
    broker.node().format().start();
    Topics.create(broker.node(), "flood", 2, 1, LARGE_SEGMENTS);
    Workload workload =
        new Workload(
            WorkloadSettings.of("flood", 2, 22).recordsMax(70_000),
            broker.node().clientProperties());
    broker.add(workload, Expect.EVERYTHING).start().await();
    assertThat(workload.failures()).as("%s", workload.errors()).isZero();
    // Which leaves the tier empty if it was full of just what is appended to, so what is left in it
    // isn't asked for.
    assertThat(broker.node().log()).content().contains("were moved to home and it goes on there");
    assertThat(broker.placement("flood")[1]).as("segments at home").isPositive();
    broker.node().kill();
    broker.node().start();
  }
}
