// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static io.headpond.systemtests.faulty.FaultyMount.EIO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.layout.LogDirScan;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import io.headpond.systemtests.faulty.Fault.Call;
import io.headpond.systemtests.faulty.FaultyMount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tier of a real broker under load is removed by {@code headpond tier}, comes back, goes again in
 * the middle of a {@code kill -9}, fails and is taken back, or comes although the broker started
 * without. Every record is compared.
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

  private HeadpondBroker.Command tier(String action, String name, String... more) {
    return HeadpondBroker.headpond(
        "tier", List.of(Path.of(action), broker.logDirs().get(0), Path.of(name)), more);
  }

  private void done(String action) {
    done(action, "fast");
  }

  private void done(String action, String name) {
    HeadpondBroker.Command run = tier(action, name);
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  @Test
  void aTierGoesAndComesUnderLoadAndNothingIsLost() throws Exception {
    startFlood();
    HeadpondBroker.Command missing = tier("remove", "fats");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.output()).contains("did you mean fast?");
    done("remove");
    assertThat(broker.links()).isZero();
    assertThat(broker.tierFiles()).isEmpty();
    more();
    assertThat(broker.links()).as("in the tier that was removed").isZero();
    Await.until(
        "its state is shown",
        () -> HeadpondBroker.headpond("status", broker.logDirs()).output().contains("REMOVED"));

    done("add");
    more();
    Await.until("new segments are in the tier", () -> broker.links() > 0);
    assertThat(tier("remove", "fast", "--timeout", "1s").output()).isNotEmpty();
    broker.node().kill();
    assertThat(tier("remove", "fast").output()).contains("no broker runs");
    broker.node().start();
    more();
    Await.until("the next start uses it", () -> broker.links() > 0);
    flood.stop();
    assertThat(broker.node().log()).content().contains("HP0315", "HP0316", "HP0317");
    broker.verifyEverythingAndLeave();
  }

  /** The file that the broker started by has these tiers from now on. */
  private void configure(String... tiers) throws IOException {
    KafkaNode node = broker.node().set("headpond.tiers", String.join(",", tiers));
    for (String tier : tiers) {
      String key = "headpond.tier." + tier;
      node.set(key + ".paths", broker.tier(tier).toString())
          .set(key + ".capacity", "1GiB")
          .set(key + ".migrate.threshold", "-1");
    }
    node.writeConfiguration();
  }

  private long linksInto(String tier) throws IOException {
    long[] count = new long[1];
    LogDirScan.scan(
        broker.logDirs().get(0),
        entry ->
            count[0] += entry.linked() && entry.target().startsWith(broker.tier(tier)) ? 1 : 0);
    return count[0];
  }

  @Test
  void tiersThatTheBrokerDidNotStartWithComeAndGo() throws Exception {
    broker.tierBelow("slow", workspace.tier("slow"), "1GiB"); // known to the checks at the end
    broker
        .node()
        .unset("headpond.tiers")
        .unset("headpond.tier.fast.paths")
        .unset("headpond.tier.fast.capacity")
        .unset("headpond.tier.slow.type")
        .unset("headpond.tier.slow.paths")
        .unset("headpond.tier.slow.capacity")
        .format()
        .start();
    flood();
    HeadpondBroker.Command early = tier("add", "slow");
    assertThat(early.exitCode()).as(early.output()).isEqualTo(1);
    assertThat(early.output()).contains(broker.node().configuration().toString());
    assertThat(broker.links()).as("without a tier").isZero();

    configure("slow");
    done("add", "slow");
    more();
    Await.until("new segments are in the first tier", () -> linksInto("slow") > 0);
    configure("fast", "slow");
    done("add", "fast");
    more();
    Await.until("new segments are in the faster one", () -> linksInto("fast") > 0);

    broker.node().kill();
    broker.node().start();
    more();
    assertThat(linksInto("fast")).as("after the next start").isPositive();
    done("remove", "fast");
    assertThat(linksInto("fast")).isZero();
    more();
    flood.stop();
    assertThat(broker.node().log()).content().contains("HP0319");
    broker.verifyEverythingAndLeave();
  }

  @Test
  void aDeviceThatWorksAgainIsTakenBack() throws Exception {
    assumeTrue(FaultyMount.impossible().isEmpty(), FaultyMount.impossible());
    Path device = workspace.folder("device");
    try (FaultyMount mount = FaultyMount.on(device, workspace)) {
      broker.tier(device);
      broker.node().set("headpond.tier.fast.type", "file").set("headpond.durability", "append");
      startFlood();
      mount.fail(Call.FORCE, EIO, -1, TIER_FILES);
      Await.until(
          "the directory counts as failed",
          () -> HeadpondBroker.headpond("status", broker.logDirs()).output().contains("FAILED"));
      Await.until("what is readable has left it", () -> broker.links() == 0);
      mount.fail(Call.FORCE, EIO, -1, "/[.]headpond-probe");
      HeadpondBroker.Command early = tier("retry", "fast");
      assertThat(early.exitCode()).as(early.output()).isEqualTo(1);
      mount.repair();
      done("retry");
      more();
      Await.until("new segments are in the tier", () -> broker.links() > 0);
      flood.stop();
      broker.verifyEverythingAndLeave();
    }
  }
}
