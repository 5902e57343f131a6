// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Mount;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.MirrorState;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Command;
import io.headpond.systemtests.Workspace;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One broker without replicas is killed under load and its tier is lost. What its mirror at home
 * has goes on, and that is everything but what was acknowledged within the mirror's limit.
 *
 * <p>{@code -Dheadpond.mirror.times=N} for more lives of each.
 */
@Tag("extra")
class MirrorIT {
  private static final int TIMES = Integer.getInteger("headpond.mirror.times", 2);
  private static final String TOPIC = "orders";
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 12_000;
  private static final int DEVICE_MIB = 48;
  private static final long LIMIT_MS = 1_000;

  private final long seed = Long.getLong("headpond.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void aLostTierLosesAtMostWhatItsMirrorMayBeBehind() throws Exception {
    lives("1s");
  }

  @Test
  void aMirrorThatAppendsWaitForLosesNothing() throws Exception {
    lives("0");
  }

  private static HeadpondBroker broker(Workspace workspace, String limit) throws Exception {
    HeadpondBroker broker =
        new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs");
    broker
        .node()
        .set("headpond.tier.fast.mirror", limit)
        .set("headpond.tier.fast.capacity", "24MiB")
        .set("headpond.home.reserve", "1%");
    return broker;
  }

  private TimedRecords records(HeadpondBroker broker) throws Exception {
    Topics.create(broker.node(), TOPIC, PARTITIONS, 1, Map.of("segment.bytes", "1048576"));
    return new TimedRecords(TOPIC, PARTITIONS, seed, broker.node().clientProperties());
  }

  private void lives(String limit) throws Exception {
    System.out.println("MirrorIT: seed " + seed + ", mirror=" + limit + ", " + TIMES + " lives");
    long lost = 0;
    long acknowledged = 0;
    long longestMs = 0;
    try (Workspace workspace = Workspace.create("mirror");
        HeadpondBroker broker = broker(workspace, limit)) {
      broker.node().format().start();
      TimedRecords records = records(broker);
      for (int life = 1; life <= TIMES; life++) {
        Path home = broker.logDirs().get(0);
        killUnderLoad(broker, records, home);
        Workspace.delete(broker.tier());
        Files.createDirectories(broker.tier());
        long untilMs = forget(home);
        broker.node().start();
        TimedRecords.Lost gone = records.takeLost();
        long spanMs = gone.records() == 0 ? 0 : gone.lastMs() - gone.firstMs();
        System.out.printf(
            "life %d: %,d records there, %,d acknowledged ones lost, of the last %d ms%n",
            life, records.acknowledged(), gone.records(), spanMs);
        if (limit.equals("0")) {
          assertThat(gone.records()).as("acknowledged and lost").isZero();
        } else if (gone.records() > 0) {
          assertThat(gone.firstMs()).as("named as what may be lost").isGreaterThan(untilMs);
          assertThat(spanMs).as("time of acknowledgements lost").isLessThanOrEqualTo(LIMIT_MS);
        }
        lost += gone.records();
        acknowledged = records.acknowledged();
        longestMs = Math.max(longestMs, spanMs);
      }
      broker.node().stop();
      broker.verifyFiles();
    }
    System.out.printf(
        "mirror=%s: %d lives, %,d records there at the end, %,d acknowledged ones lost, of %d ms at"
            + " most%n",
        limit, TIMES, acknowledged, lost, longestMs);
    assertThat(acknowledged).isPositive();
  }

  private void killUnderLoad(HeadpondBroker broker, TimedRecords records, Path home)
      throws Exception {
    try (TimedRecords.Load load = records.new Load(random.nextBoolean() ? "all" : "1")) {
      Await.until("records", () -> load.acknowledged() >= RECORDS);
      Await.until(
          "mirrors", () -> MirrorState.read(home).filter(MirrorState::complete).isPresent());
      TimeUnit.MILLISECONDS.sleep(random.nextInt(700)); // at any time of a round
      broker.node().kill();
    }
    assertThat(broker.links()).as("segments in the tier").isPositive();
  }

  /** Goes on without the tier; the time up to which the mirrors are said to hold everything. */
  private static long forget(Path home) throws Exception {
    StringWriter text = new StringWriter();
    int code =
        Command.run(text, "forget-tier", home, "fast", "--keep-prefix", "--if-in-sync", "--alone");
    assertThat(code).as("%s", text).isZero();
    System.out.println(text);
    assertThat(text.toString())
        .contains("no other replica")
        .containsAnyOf("may be missing", "nothing that was acknowledged is missing");
    return MirrorState.read(home).orElseThrow().untilMs();
  }

  /** As a file system that an error shuts down does with what wasn't forced. */
  @Test
  void aTierThatComesBackWithoutItsTailLosesNothing() throws Exception {
    System.out.println("MirrorIT: seed " + seed + ", lost tails, " + TIMES + " lives");
    try (Workspace workspace = Workspace.create("mirror");
        HeadpondBroker broker = broker(workspace, "0")) {
      broker.node().format().start();
      TimedRecords records = records(broker);
      for (int life = 1; life <= TIMES; life++) {
        killUnderLoad(broker, records, broker.logDirs().get(0));
        int cut = cutTails(broker.logDirs().get(0));
        broker.node().start();
        long lost = records.takeLost().records();
        System.out.printf(
            "life %d: %d files cut, %,d records there, %,d acknowledged ones lost%n",
            life, cut, records.acknowledged(), lost);
        assertThat(cut).isPositive();
        assertThat(lost).isZero();
      }
      broker.node().stop();
      broker.verifyFiles();
    }
  }

  /** Takes the ends of the segments in the tier away, or writes zeros there in active ones. */
  private int cutTails(Path home) throws Exception {
    int cut = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<LogDirScan.Entry> log = LogDirScan.segments(home.resolve(TOPIC + "-" + partition));
      for (int i = 0; i < log.size(); i++) {
        if (log.get(i).linked()) {
          cutTail(log.get(i).target(), i == log.size() - 1 && random.nextBoolean());
          cut++;
        }
      }
    }
    return cut;
  }

  private void cutTail(Path file, boolean zeros) throws Exception {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long size = channel.size();
      channel.truncate((long) (size * random.nextDouble()));
      if (zeros && size > 0) {
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    }
  }

  @Test
  void aDeviceThatCameBackEmptyIsRecoveredFromWithoutReplicas() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a device");
    try (Workspace workspace = Workspace.create("mirror");
        HeadpondBroker broker = broker(workspace, "0")) {
      Mount device = Mount.tmpfs(broker.tier(), DEVICE_MIB);
      try {
        broker.node().set("headpond.tier.fast.ephemeral", "true").format().start();
        TimedRecords records = records(broker);
        killUnderLoad(broker, records, broker.logDirs().get(0));
        device.close();
        device = Mount.tmpfs(broker.tier(), DEVICE_MIB);
        StringWriter text = new StringWriter();
        int code = Command.run(text, "recover", broker.node().configuration(), "--alone");
        assertThat(code).as("%s", text).isZero();
        assertThat(text.toString())
            .contains("HP0206", "orders-0: goes on with its mirror")
            .contains("nothing that was acknowledged is missing");
        broker.node().start();
        assertThat(records.takeLost().records()).isZero();
        broker.node().stop();
      } finally {
        broker.node().close();
        device.close();
      }
    }
  }
}
