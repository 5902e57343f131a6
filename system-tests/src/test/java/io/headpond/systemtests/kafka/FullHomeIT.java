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
import io.headpond.store.layout.HomeIdentity;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.FullDisk;
import io.headpond.systemtests.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another program fills home to the last byte while a broker is under load. While the tier has room
 * the broker goes on; without, it says so and loses nothing that it acknowledged.
 */
@Tag("extra")
class FullHomeIT {
  private static final Map<String, String> SMALL_SEGMENTS = Map.of("segment.bytes", "4194304");

  /**
   * No checkpoint falls into the milliseconds in which nothing is free: Kafka writes it past
   * Headpond, and takes the log directory offline.
   */
  private static final Map<String, String> RARELY =
      Map.of(
          "replica.high.watermark.checkpoint.interval.ms", "3600000",
          "log.flush.offset.checkpoint.interval.ms", "3600000",
          "log.flush.start.offset.checkpoint.interval.ms", "3600000");

  /** So long home stays full, seconds. */
  private static final int SECONDS = Integer.getInteger("headpond.full.seconds", 15);

  /**
   * For minutes the ballast has to be larger, and the load smaller: indexes come to 0.5 % of it.
   */
  private static final boolean LONG = SECONDS > 60;

  private static final int HOME_MIB = LONG ? 1600 : 400;
  private static final int LOAD_BYTES_PER_SECOND = (LONG ? 4 : 8) << 20;

  /** 2 % of home. */
  private static final long BALLAST = ((long) HOME_MIB << 20) / 50;

  /** Home is filled so often. */
  private static final int TIMES = Integer.getInteger("headpond.full.times", 1);

  /** Home and tier are filled so often. */
  private static final int SPENT_TIMES = Integer.getInteger("headpond.full.spent.times", 1);

  /** One broker's, on a home of its own. */
  private interface Life {
    void live(Mount home, HeadpondBroker broker) throws Exception;
  }

  private static void live(int times, String what, Life life) throws Exception {
    assumeTrue(Mount.possible(), "mounting needs root");
    for (int i = 1; i <= times; i++) {
      try (Workspace workspace = Workspace.create("full-home");
          Mount home = Mount.tmpfs(workspace.folder("logs"), HOME_MIB);
          HeadpondBroker broker =
              new HeadpondBroker(
                  workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
        life.live(home, broker);
      }
      System.out.println(what + " full " + i + " of " + times + " times");
    }
  }

  private static Path awaitBallast(Mount home) throws Exception {
    Path ballast = home.folder().resolve(HomeIdentity.BALLAST);
    Await.until(
        "the ballast is allocated", () -> Files.exists(ballast) && Files.size(ballast) == BALLAST);
    return ballast;
  }

  @Test
  void aBrokerGoesOnWhileHomeIsFullAndATierHasRoom() throws Exception {
    live(TIMES, "home was", FullHomeIT::fillUnderLoad);
  }

  private static void fillUnderLoad(Mount mount, HeadpondBroker broker) throws Exception {
    Path home = mount.folder();
    broker.node().set("headpond.tier.fast.migrate.threshold", "-1");
    broker.node().set("headpond.tier.fast.capacity", "4GiB");
    RARELY.forEach(broker.node()::set);
    broker.node().format().start();
    Topics.create(broker.node(), "flood", 2, 1, SMALL_SEGMENTS);
    Topics.create(broker.node(), "goes", 1, 1, SMALL_SEGMENTS);
    Workload flood =
        broker.add(
            new Workload(
                WorkloadSettings.of("flood", 2, 31).bytesPerSecond(LOAD_BYTES_PER_SECOND),
                broker.node().clientProperties()),
            Expect.EVERYTHING);
    flood.start();
    Path ballast = awaitBallast(mount);
    Path others = home.resolve("others");
    FullDisk.fill(others);
    assertThat(Files.size(ballast)).as("who fills home doesn't get it").isPositive();
    long before = flood.acknowledgedRecords();
    Topics.create(broker.node(), "comes", 1, 1, SMALL_SEGMENTS);
    Topics.delete(broker.node(), "goes");
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    while (System.nanoTime() < end) {
      long seen = flood.acknowledgedRecords();
      Await.until(
          "appends go on while home is full",
          () -> flood.acknowledgedRecords() > seen + 1_000 || flood.failures() > 0);
      assertThat(flood.failures()).as("%s", flood.errors()).isZero();
      assertThat(broker.node().running()).as(broker.node().tail()).isTrue();
    }
    assertThat(flood.acknowledgedRecords()).isGreaterThan(before + 1_000);
    assertThat(Files.size(ballast)).isLessThan(BALLAST);
    flood.stop();
    assertThat(flood.failures()).as("%s", flood.errors()).isZero();
    assertThat(broker.node().log())
        .content()
        .contains("HP0320")
        .doesNotContain("HP0321")
        .doesNotContain("Stopping serving logs");
    broker.node().stop(); // clean, at a full home
    broker.node().start();
    broker.verifyRecords();
    Files.delete(others);
    mount.resize(4 * HOME_MIB); // for the segments that come home
    broker.verifyEverythingAndLeave();
    assertThat(ballast).doesNotExist();
  }

  @Test
  void withoutRoomAnywhereAppendsFailAndNothingIsLost() throws Exception {
    live(SPENT_TIMES, "home and tier were", FullHomeIT::fillEverything);
  }

  private static void fillEverything(Mount mount, HeadpondBroker broker) throws Exception {
    broker
        .node()
        .set("headpond.tier.fast.migrate.threshold", "-1")
        .set("headpond.tier.fast.capacity", "24MiB")
        .setForClients("delivery.timeout.ms", "12000")
        .setForClients("request.timeout.ms", "6000")
        .format()
        .start();
    Topics.create(broker.node(), "flood", 2, 1, SMALL_SEGMENTS);
    awaitBallast(mount);
    Workload flood =
        broker.add(
            new Workload(
                WorkloadSettings.of("flood", 2, 37).bytesPerSecond(4 << 20),
                broker.node().clientProperties()),
            Expect.EVERYTHING);
    flood.start().awaitAcknowledged(2_000);
    Path others = mount.folder().resolve("others");
    FullDisk.fill(others);
    Await.until("the broker ends", () -> !broker.node().running());
    Await.until("producers are told", () -> flood.failures() > 0);
    flood.close();
    assertThat(flood.acknowledgedBytes()).as("the tier was filled").isGreaterThan(8L << 20);
    assertThat(broker.node().log())
        .content()
        .contains("HP0320")
        .contains(mount.folder() + ": its disk is full")
        .contains("Stopping serving logs in dir " + mount.folder());
    Files.delete(others);
    mount.resize(4 * HOME_MIB);
    broker.node().start();
    broker.verifyWhereverItIsAndLeave();
  }
}
