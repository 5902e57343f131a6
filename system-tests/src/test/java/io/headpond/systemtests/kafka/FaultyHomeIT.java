// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static io.headpond.systemtests.faulty.FaultyMount.EIO;
import static io.headpond.systemtests.faulty.FaultyMount.ENOSPC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.cli.logdir.OwnerLives;
import io.headpond.harness.kafka.Follower;
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
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real broker whose home fails or is slow, by a file system that does so when it is told to,
 * while segments are migrated there. What a failed force has lost is taken away before the next
 * start, as a power cut would: Linux shows it until then, and lets the next force succeed.
 */
@Tag("extra")
class FaultyHomeIT {

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());

  /** Copies in the making. */
  private static final String COPIES = "/headpond-[0-9a-f]*[.]move";

  private static final String SEGMENTS = "/flood-[0-9]+/[0-9]*[.]log";
  private static final String BOTH = "(" + COPIES + "|" + SEGMENTS + ")";

  private static final long SLOW_BYTES_PER_SECOND = 800_000;

  private Workspace workspace;
  private FaultyMount home;
  private HeadpondBroker broker;
  private OwnerLives lives;
  private Workload flood;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(FaultyMount.impossible().isEmpty(), FaultyMount.impossible());
    System.out.println("seed " + SEED);
    workspace = Workspace.create("faulty-home");
    home = FaultyMount.on(workspace.folder("logs"), workspace);
    broker = new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs");
    broker.node().set("headpond.tier.fast.capacity", "32MiB");
    lives = new OwnerLives(broker.tier());
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : Arrays.asList(broker, home, workspace)) {
      if (part != null) {
        part.close();
      }
    }
  }

  @Test
  void aForceOfACopyThatFailsOnceFailsTheMoveAndIsNeverTrusted() throws Exception {
    startFlood();
    home.fail(Call.FORCE, EIO, 1, COPIES);
    flood.start().awaitAcknowledged(40_000);
    Await.until("a move has failed", () -> counter("migration.failures") == 1);
    Await.until("the next ones don't", () -> counter("migrated.down.segments") > 4);
    flood.stop();
    assertThat(flood.failures()).as("%s", flood.errors()).isZero();
    assertThat(broker.node().log()).content().contains("HP0401", "headpond-", ".move");
    assertThat(endsWithEverythingThere()).as("copies that failed are gone").isZero();
  }

  @Test
  void aHomeWhereNoCopyCanBeForcedLeavesTheSegmentsWhereTheyAre() throws Exception {
    startFlood();
    home.fail(Call.FORCE, EIO, -1, COPIES);
    flood.start().awaitAcknowledged(60_000);
    Await.until("moves have failed", () -> counter("migration.failures") > 4);
    flood.stop();
    assertThat(flood.failures()).as("%s", flood.errors()).isZero();
    assertThat(counter("migrated.down.segments")).isZero();
    assertThat(broker.placement("flood")[1]).as("new segments, of a full tier").isPositive();
    endsWithEverythingThere();
  }

  @Test
  @Tag("HP0310")
  void aForceOfASegmentAtHomeThatFailsTakesTheLogDirectoryOffline() throws Exception {
    broker.node().set("headpond.tier.fast.capacity", "4MiB").set("headpond.durability", "append");
    startFlood();
    flood.start().awaitAcknowledged(20_000);
    home.fail(Call.FORCE, EIO, 1, SEGMENTS);
    Await.until("Kafka ends, with all its directories offline", () -> !broker.node().running());
    assertThat(home.hits()).isOne();
    assertThat(broker.node().log()).content().contains("HP0310", "flood-", ".log");
    flood.close();
    flood.await();
    endsWithEverythingThere();
  }

  @Test
  void aDirectoryThatCouldntBeForcedIsNeverTrustedAgain() throws Exception {
    startFlood();
    home.fail(Call.FORCE_DIRECTORY, EIO, 1, "/flood-0");
    flood.start();
    Await.until("Kafka ends, with all its directories offline", () -> !broker.node().running());
    assertThat(home.hits()).isOne();
    flood.close();
    flood.await();
    assertThat(broker.node().log())
        .content()
        .contains("HP0310", "flood-0: can't be forced (Input/output error)");
    endsWithEverythingThere();
  }

  @Test
  void aHomeWithoutRoomCostsNothingThatWasAcknowledged() throws Exception {
    broker
        .node()
        .setForClients("delivery.timeout.ms", "12000")
        .setForClients("request.timeout.ms", "6000");
    startFlood();
    flood.start().awaitAcknowledged(10_000);
    home.fail(Call.WRITE, ENOSPC, -1, BOTH);
    Await.until("a move has failed", () -> counter("migration.failures") > 0);
    long then = flood.acknowledgedRecords();
    flood.awaitAcknowledged(then + 4_000); // the tier has room
    Await.until("no more room", () -> flood.failures() > 0 || !broker.node().running());
    flood.close();
    flood.await();
    assertThat(broker.node().log()).content().contains("No space left on device");
    endsWithEverythingThere();
  }

  @Test
  void aHomeThatIsSlowerThanTheLoadDoesntHoldAppendsUp() throws Exception {
    broker.node().set("headpond.tier.fast.capacity", "96MiB");
    startFlood();
    flood.start().awaitAcknowledged(10_000);
    home.pace(SLOW_BYTES_PER_SECOND);
    long before = home.writtenBytes();
    long records = flood.acknowledgedRecords();
    long bytes = flood.acknowledgedBytes();
    long started = System.nanoTime();
    flood.awaitAcknowledged(records + 40_000);
    double seconds = (System.nanoTime() - started) / 1e9;
    System.out.printf(
        "FaultyHomeIT: %d B acknowledged and %d B written to home in %.1f s%n",
        flood.acknowledgedBytes() - bytes, home.writtenBytes() - before, seconds);
    assertThat((flood.acknowledgedBytes() - bytes) / seconds)
        .as("B/s acknowledged")
        .isGreaterThan(4 * SLOW_BYTES_PER_SECOND);
    Await.until("a copy is under way", broker::copying);
    flood.stop();
    assertThat(flood.failures()).as("%s", flood.errors()).isZero();
    broker.node().stop();
    broker.node().start();
    broker.verifyRecords();
    broker.node().kill();
    home.pace(0);
    endsWithEverythingThere();
  }

  @Test
  void aSegmentAtHomeThatCantBeReadIsAnErrorAndNeverOtherBytes() throws Exception {
    startFlood();
    flood.start().awaitAcknowledged(40_000).stop();
    Await.until("segments are at home", () -> broker.placement("flood")[1] > 4);
    home.fail(Call.READ, EIO, -1, SEGMENTS);
    try (Follower reader = new Follower(flood)) {
      Await.until("the broker says why", () -> logged("HP0310", "read failed: Input/output error"));
      assertThat(reader.whole()).as("records at home that were read").isZero();
      assertThat(reader.corrupt()).isZero();
    }
    endsWithEverythingThere();
  }

  /** Small segments, and more than the tier keeps. */
  private void startFlood() throws Exception {
    broker.node().format().start();
    Topics.create(broker.node(), "flood", 2, 1, Map.of("segment.bytes", "1048576"));
    flood =
        broker.add(
            new Workload(
                WorkloadSettings.of("flood", 2, SEED).bytesPerSecond(8 << 20),
                broker.node().clientProperties()),
            Expect.EVERYTHING);
  }

  /** Is there a line of the broker's log that has all of it? */
  private boolean logged(String... texts) throws IOException {
    try (Stream<String> lines = Files.lines(broker.node().log())) {
      return lines.anyMatch(line -> Stream.of(texts).allMatch(line::contains));
    }
  }

  private long counter(String key) throws IOException {
    lives.look();
    return lives.sum(key);
  }

  /** Kills it, cuts the power of its home, repairs that, and compares everything. */
  private long endsWithEverythingThere() throws Exception {
    if (broker.node().running()) {
      broker.node().kill();
    }
    long lost = home.cutPower();
    System.out.printf(
        "FaultyHomeIT: %d calls failed, %d B were lost by forces that failed%n",
        home.repair(), lost);
    broker.node().start();
    broker.verifyWhereverItIsAndLeave();
    return lost;
  }
}
