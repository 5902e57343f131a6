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
import io.headpond.systemtests.OldVersion;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker's files, served by an older version and by this one in turns. */
@Tag("extra")
class VersionChangeIT {
  private static final Map<String, String> SMALL_SEGMENTS = Map.of("segment.bytes", "1048576");

  /** More than the tiers hold. */
  private static final int RECORDS_OF_A_LIFE = 20_000;

  private final OldVersion old = OldVersion.named();
  private HeadpondBroker broker;
  private Workload plain;
  private Workload orders;

  private enum Version {
    OLD,
    NEW
  }

  private enum End {
    STOP,
    KILL
  }

  @Test
  void noRecordIsLostByUpgradesAndDowngradesAfterStopsAndKills() throws Exception {
    try (Workspace workspace = Workspace.create("version-change");
        HeadpondBroker made = broker(workspace)) {
      broker = made;
      live(Version.OLD, End.STOP);
      live(Version.NEW, End.STOP);
      live(Version.OLD, End.KILL);
      live(Version.NEW, End.KILL);
      live(Version.OLD, End.KILL);
      live(Version.NEW, End.STOP);
      live(Version.OLD, End.STOP);
      start(Version.NEW);
      assertThat(broker.placement("plain")[1]).as("segments that went home").isPositive();
      broker.verifyEverythingAndLeave();
    }
  }

  /** What the next version, or the one before, leaves behind: the number in the identities. */
  @Test
  void theNextFormatIsServedAndTheOneAfterIsRefused() throws Exception {
    try (Workspace workspace = Workspace.create("next-format");
        HeadpondBroker made = broker(workspace)) {
      broker = made;
      for (int format : new int[] {2, 0}) {
        live(Version.NEW, End.STOP);
        identities(format);
      }
      live(Version.NEW, End.KILL);
      identities(3);
      broker.node().launch();
      assertThat(broker.node().awaitExit(Duration.ofMinutes(2))).isPositive();
      assertThat(broker.node().tail()).contains("HP0113");
      identities(1);
      start(Version.NEW);
      broker.verifyEverythingAndLeave();
    }
  }

  private static HeadpondBroker broker(Workspace workspace) throws Exception {
    HeadpondBroker broker =
        new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs");
    broker.tierBelow("ssd", workspace.folder("ssd"), "24MiB");
    broker.node().set("headpond.tier.fast.capacity", "24MiB").format();
    return broker;
  }

  private void start(Version version) throws Exception {
    broker
        .node()
        .with(version == Version.OLD ? old.plugIn() : PlugIn.find(PlugIn.Start.AGENT))
        .start();
    old.assertLoaded(broker.node().pid(), version == Version.OLD);
  }

  /** A life of the broker: everything of the lives before is read, more is written. */
  private void live(Version version, End end) throws Exception {
    start(version);
    if (plain == null) {
      plain = workload(WorkloadSettings.of("plain", 3, 5).recordsMax(0));
      orders =
          workload(
              WorkloadSettings.of("orders", 2, 6)
                  .compression("lz4")
                  .transactions(100)
                  .recordsMax(0));
    } else {
      broker.verifyRecords();
    }
    long before = plain.acknowledgedRecords();
    orders.more(RECORDS_OF_A_LIFE / 4).start();
    plain.more(RECORDS_OF_A_LIFE).start();
    plain.awaitAcknowledged(before + RECORDS_OF_A_LIFE / 2);
    if (end == End.KILL) {
      broker.node().kill();
      start(version);
    }
    plain.await();
    orders.await();
    Await.until("a segment lies in a tier", () -> broker.links() > 0);
    if (end == End.KILL) {
      broker.node().kill();
    } else {
      broker.node().stop();
      broker.verifyFiles();
    }
  }

  private Workload workload(WorkloadSettings settings) throws Exception {
    Topics.create(broker.node(), settings.topic(), settings.partitions(), 1, SMALL_SEGMENTS);
    return broker.add(new Workload(settings, broker.node().clientProperties()), Expect.EVERYTHING);
  }

  private void identities(int format) throws IOException {
    for (Path folder : List.of(broker.logDirs().get(0), broker.tier(), broker.tier("ssd"))) {
      Path file = folder.resolve(".headpond");
      Files.writeString(
          file, Files.readString(file).replaceAll("(?m)^format=.*$", "format=" + format));
    }
  }
}
