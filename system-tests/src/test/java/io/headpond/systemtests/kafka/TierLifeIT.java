// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static io.headpond.systemtests.faulty.FaultyMount.EIO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import io.headpond.systemtests.faulty.Fault.Call;
import io.headpond.systemtests.faulty.FaultyMount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tier of a real broker under load is drained, also through a {@code kill -9}, is taken out and
 * comes back, or fails and works again. Every record is compared.
 */
@Tag("extra")
class TierLifeIT {
  private static final Map<String, String> SMALL_SEGMENTS = Map.of("segment.bytes", "1048576");
  private static final String TIER_FILES = "/segments/.*";
  private static final int MORE_RECORDS = 10_000;

  private Workspace workspace;
  private HeadpondBroker broker;
  private Workload flood;

  @BeforeEach
  void make() throws Exception {
    workspace = Workspace.create("tier-life");
    broker = new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs");
  }

  @AfterEach
  void end() throws Exception {
    broker.close();
    workspace.close();
  }

  private void startFlood() throws Exception {
    broker.node().set("headpond.tier.fast.migrate.threshold", "-1").format().start();
    flood();
    assertThat(broker.links()).isPositive();
  }

  private void flood() throws Exception {
    Topics.create(broker.node(), "flood", 4, 1, SMALL_SEGMENTS);
    flood =
        broker.add(
            new Workload(
                WorkloadSettings.of("flood", 4, 41).bytesPerSecond(8 << 20),
                broker.node().clientProperties()),
            Expect.EVERYTHING);
    flood.start().awaitAcknowledged(MORE_RECORDS);
  }

  private void more() throws Exception {
    flood.awaitAcknowledged(flood.acknowledgedRecords() + MORE_RECORDS);
    assertThat(flood.failures()).as("%s", flood.errors()).isZero();
  }

  /** Ends the broker and starts it with other keys, while the load goes on. */
  private void restart(boolean kill) throws Exception {
    if (kill) {
      broker.node().kill();
    } else {
      broker.node().stop();
    }
    broker.node().start();
    more();
  }

  @Test
  void aTierIsDrainedAndTakenOutUnderLoadAndNothingIsLost() throws Exception {
    startFlood();
    broker.node().set("headpond.tier.fast.draining", "true");
    restart(false);
    Await.until(
        "its state is shown",
        () -> HeadpondBroker.headpond("status", broker.logDirs()).output().contains("draining"));
    restart(true);
    Await.until("the tier is empty", () -> broker.links() == 0);
    Await.until(
        "the log says so", () -> Files.readString(broker.node().log()).contains("fast: is empty"));
    more();
    assertThat(broker.links()).isZero();
    assertThat(broker.tierFiles()).isEmpty();
    HeadpondBroker.Command status = HeadpondBroker.headpond("status", broker.logDirs());
    assertThat(status.output()).contains("tier fast: 0 segments");
    assertThat(status.exitCode()).as(status.output()).isZero();

    withoutTiers();
    restart(false);
    assertThat(broker.tierFiles()).isEmpty();
    broker
        .node()
        .set("headpond.tiers", "fast")
        .set("headpond.tier.fast.paths", broker.tier().toString())
        .set("headpond.tier.fast.capacity", "1GiB");
    restart(false);
    Await.until("new segments are in the tier", () -> broker.links() > 0);
    flood.stop();
    broker.verifyEverythingAndLeave();
  }

  private void withoutTiers() {
    broker
        .node()
        .unset("headpond.tiers")
        .unset("headpond.tier.fast.paths")
        .unset("headpond.tier.fast.capacity")
        .unset("headpond.tier.fast.migrate.threshold")
        .unset("headpond.tier.fast.draining");
  }

  @Test
  void aDeviceThatWorksAgainIsUsedFromTheNextStartOn() throws Exception {
    assumeTrue(FaultyMount.impossible().isEmpty(), FaultyMount.impossible());
    Path device = workspace.folder("device");
    try (FaultyMount mount = FaultyMount.on(device, workspace)) {
      broker.tier(device);
      broker.node().set("headpond.durability", "append");
      startFlood();
      mount.fail(Call.FORCE, EIO, -1, TIER_FILES);
      Await.until(
          "the directory counts as failed",
          () -> HeadpondBroker.headpond("status", broker.logDirs()).output().contains("FAILED"));
      Await.until("what is readable has left it", () -> broker.links() == 0);
      more();
      assertThat(broker.links()).isZero();
      broker.node().stop();
      mount.repair();
      broker.node().start();
      Await.until("new segments are in the tier", () -> broker.links() > 0);
      flood.stop();
      broker.verifyEverythingAndLeave();
    }
  }
}
