// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.kafka.Workload;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.Mount;
import io.headpond.systemtests.Await;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker of three is killed under load, and its tier's device comes back empty. Its logs are cut
 * where the first segment is missing, and it brings the rest back from the others.
 *
 * <p>{@code -Dheadpond.lost.tier.lives=N} repeats that on one cluster, with {@code
 * -Dheadpond.lost.tier.kafka=3.9} on another release.
 */
@Tag("extra")
class LostTierIT {
  private static final int LIVES = Integer.getInteger("headpond.lost.tier.lives", 1);
  private static final int DISASTERS = Integer.getInteger("headpond.lost.tier.disasters", 1);

  /** What the topic begins with, and what each life adds: some 90 and 6 MiB a replica. */
  private static final int RECORDS = 90_000;

  private static final int RECORDS_MORE = 6_000;

  private static final int KILLS_MAX = 10;

  /** Share of what lay above the cuts that may be fetched, at most. */
  private static final double FETCHED_MAX = 1.1;

  private static final String UNSAFE = "not_in_sync: orders \\((0|1|0-1)\\)";

  private final long seed = Long.getLong("headpond.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static EngineRelease kafka() throws IOException {
    String wanted = System.getProperty("headpond.lost.tier.kafka", "");
    return wanted.isEmpty() ? Engine.KAFKA.current() : Engine.KAFKA.find(wanted);
  }

  @Test
  void aLostTierCostsOnlyWhatLayAboveTheCuts() throws Exception {
    System.out.println("LostTierIT: seed " + seed + ", " + LIVES + " lives");
    try (LostTierCluster cluster = new LostTierCluster(kafka(), seed, false)) {
      cluster.workload().start().awaitAcknowledged(RECORDS);
      for (int life = 1; life <= LIVES; life++) {
        life(cluster, life);
      }
      cluster.stop();
    }
  }

  private void life(LostTierCluster cluster, int life) throws Exception {
    int lost = 1 + random.nextInt(3);
    cluster.workload().awaitAcknowledged(cluster.workload().acknowledgedRecords() + RECORDS_MORE);
    if (random.nextInt(4) == 0) {
      cluster.broker(lost).node().stop();
    } else {
      cluster.broker(lost).node().kill();
    }
    List<ReplicaContent> before = cluster.replicas(lost);
    long inTier = cluster.bytesInTier(lost);
    cluster.loseTier(lost);
    cluster.workload().awaitAcknowledged(cluster.workload().acknowledgedRecords() + RECORDS_MORE);
    if (life == 1) {
      cluster.refusedStart(lost);
    }

    StringWriter text = new StringWriter();
    assertThat(cluster.giveUpTier(lost, text)).as("%s", text).isZero();
    assertThat(text.toString()).contains("another broker leads and has all of it");
    List<ReplicaContent> kept = cluster.replicas(lost);
    if (life % 2 == 0) { // half of them come back under load
      cluster.broker(lost).node().start();
      cluster.awaitInSync();
    }
    cluster.workload().stop();
    long down = startAndMeasure(cluster, lost, kept);
    long above = LostTierCluster.bytes(before) - LostTierCluster.bytes(kept);
    long again =
        down - (LostTierCluster.bytes(cluster.replicas(lost)) - LostTierCluster.bytes(before));
    System.out.printf(
        "life %d: broker %d, log %,d B, in its tier %,d B, above the cuts %,d B, fetched again %,d"
            + " B%n",
        life, lost, LostTierCluster.bytes(before), inTier, above, again);
    assertThat(above).as("bytes above the cuts").isPositive();
    assertThat(LostTierCluster.bytes(kept)).as("bytes that stay").isPositive();
    assertThat((double) again).as("bytes fetched again").isLessThanOrEqualTo(FETCHED_MAX * above);
    cluster.verify();
    cluster.workload().start();
  }

  /** Bytes that the broker has appended since its start, when it has everything. */
  private static long startAndMeasure(LostTierCluster cluster, int lost, List<ReplicaContent> kept)
      throws Exception {
    if (!cluster.broker(lost).node().running()) {
      cluster.broker(lost).node().start();
    }
    cluster.awaitInSync();
    cluster.verify();
    long missing = LostTierCluster.bytes(cluster.replicas(lost)) - LostTierCluster.bytes(kept);
    Await.until("what came back is counted", () -> cluster.appended(lost) >= missing);
    return cluster.appended(lost);
  }

  @Test
  void aTierThatAllReplicasLostIsRefusedByName() throws Exception {
    try (LostTierCluster cluster = new LostTierCluster(kafka(), seed, false)) {
      for (int disaster = 1; disaster <= DISASTERS; disaster++) {
        cluster
            .workload()
            .start()
            .awaitAcknowledged(cluster.workload().acknowledgedRecords() + RECORDS_MORE);
        cluster.workload().stop();
        disaster(cluster);
        cluster.verify();
      }
      cluster.stop();
    }
  }

  /** All lose their tiers at once; nothing is changed, so all is well when these come back. */
  private static void disaster(LostTierCluster cluster) throws Exception {
    killWithSomethingInEachTier(cluster);
    for (int id = 1; id <= 3; id++) {
      Path tier = cluster.broker(id).tier();
      Files.move(tier, tier.resolveSibling("lost-" + id));
      Files.createDirectories(tier);
    }
    for (int id = 1; id <= 3; id++) {
      List<String> files = files(cluster.home(id));
      StringWriter text = new StringWriter();
      assertThat(cluster.giveUpTier(id, text)).as("%s", text).isEqualTo(1);
      assertThat(text.toString())
          .containsPattern(UNSAFE) // one may have all its segments at home
          .contains("HP0119")
          .doesNotContain("has all of it");
      assertThat(files(cluster.home(id))).isEqualTo(files);
    }
    for (int id = 1; id <= 3; id++) {
      Path tier = cluster.broker(id).tier();
      Files.delete(tier);
      Files.move(tier.resolveSibling("lost-" + id), tier);
      cluster.broker(id).node().start();
    }
    cluster.awaitInSync();
  }

  /** One that has all its segments at home loses nothing with its tier: nothing to refuse there. */
  private static void killWithSomethingInEachTier(LostTierCluster cluster) throws Exception {
    for (int tries = 0; tries < KILLS_MAX; tries++) {
      long least = Long.MAX_VALUE;
      for (int id = 1; id <= 3; id++) {
        cluster.broker(id).node().kill();
      }
      for (int id = 1; id <= 3; id++) {
        least = Math.min(least, cluster.bytesInTier(id));
      }
      if (least > 0) {
        return;
      }
      for (int id = 1; id <= 3; id++) {
        cluster.broker(id).node().start();
      }
      cluster.awaitInSync();
      Workload workload = cluster.workload();
      workload.start().awaitAcknowledged(workload.acknowledgedRecords() + RECORDS_MORE).stop();
    }
    throw new AssertionError("in each of " + KILLS_MAX + " kills a broker had all at home");
  }

  @Test
  void aDeviceThatCameBackEmptyIsTakenUpBeforeTheStart() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a device");
    try (LostTierCluster cluster = new LostTierCluster(kafka(), seed, true)) {
      cluster.workload().start().awaitAcknowledged(RECORDS_MORE);
      cluster.workload().stop();
      cluster.broker(1).node().kill();
      StringWriter there = new StringWriter();
      assertThat(cluster.recover(1, there)).as("%s", there).isZero();
      assertThat(there.toString()).contains("nothing to do");

      cluster.unmount(1);
      StringWriter unmounted = new StringWriter();
      List<String> files = files(cluster.home(1));
      assertThat(cluster.recover(1, unmounted)).isEqualTo(1);
      assertThat(unmounted.toString()).contains("HP0118").contains("nothing is mounted there");
      assertThat(files(cluster.home(1))).isEqualTo(files);

      cluster.mount(1);
      StringWriter empty = new StringWriter();
      assertThat(cluster.recover(1, empty)).as("%s", empty).isZero();
      assertThat(empty.toString()).contains("done; start the broker");
      assertThat(cluster.home(1).resolve(".headpond.recovered")).isNotEmptyFile();
      cluster.broker(1).node().start();
      cluster.awaitInSync();
      cluster.verify();

      for (int id = 1; id <= 3; id++) {
        cluster.broker(id).node().kill();
        cluster.unmount(id);
        cluster.mount(id);
      }
      for (int id = 1; id <= 3; id++) {
        StringWriter all = new StringWriter();
        assertThat(cluster.recover(id, all)).isEqualTo(1);
        assertThat(all.toString()).contains("HP0119").containsPattern(UNSAFE);
      }
    }
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.map(Path::toString).sorted().toList();
    }
  }
}
