// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Mount;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.FullDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another program fills a bookie's ledger directory to the last byte under load. While the fast
 * device has room the bookie goes on; when nothing has any more, it becomes read-only, and writable
 * again by itself.
 *
 * <p>{@code -Dheadpond.full.times=N} fills it more often, {@code -Dheadpond.full.seconds=N} for
 * longer.
 */
@Tag("extra")
class FullLedgerHomeIT {
  private static final int HOME_MIB = 500;

  /** 2 % of home, in eighths of whole 64 KiB. */
  private static final long BALLAST_MIN = 9L << 20;

  private static final int SECONDS = Integer.getInteger("headpond.full.seconds", 15);
  private static final int TIMES = Integer.getInteger("headpond.full.times", 1);
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String READ_ONLY = "Transitioning Bookie to ReadOnly mode";
  private static final String WRITABLE = "Transitioning Bookie to Writable mode";

  @Test
  void aBookieGoesOnAtAFullHomeWhileItsFastDeviceHasRoom() throws Exception {
    filled("256MiB", FullLedgerHomeIT::goesOn);
  }

  @Test
  void aBookieWithoutAnyRoomBecomesReadOnlyAndComesBackByItself() throws Exception {
    filled("40MiB", FullLedgerHomeIT::becomesReadOnly);
  }

  /** What is done with a bookie whose ledger directory lies on a small disk, under load. */
  private interface Life {
    void live(Cluster cluster, LedgerLoad load, Path others) throws Exception;
  }

  private static void filled(String fastCapacity, Life life) throws Exception {
    assumeTrue(Mount.possible(), "mounting needs root");
    System.out.println("seed " + SEED);
    for (int i = 1; i <= TIMES; i++) {
      try (Cluster cluster =
              new Cluster("full-ledgers", Engine.BOOKKEEPER.current(), JavaHome.current(), 1);
          Mount mount = Mount.tmpfs(cluster.bookie().ledgerDirs().get(0), HOME_MIB)) {
        BookieNode bookie =
            TieredLedgersIT.tiered(cluster.bookie(), cluster.workspace().tier("ledgers"))
                .set("headpond.ledger.fast.capacity", fastCapacity)
                .set("diskCheckInterval", "1000")
                .start();
        LedgerLoad load =
            cluster.load(
                LedgerLoadSettings.of(cluster.metadataUri(), SEED + i)
                    .writers(2, 64)
                    .bytesPerSecond(2 << 20)
                    .entriesPerLedger(7_000));
        load.start();
        Path ballast = mount.folder().resolve(HomeIdentity.BALLAST);
        Await.until(
            "the ballast is allocated",
            () -> Files.exists(ballast) && Files.size(ballast) > BALLAST_MIN);
        Path others = mount.folder().resolve("others");
        FullDisk.fill(others);
        assertThat(Files.size(ballast)).as("who fills home doesn't get it").isPositive();
        life.live(cluster, load, others);
        assertThat(log(bookie)).doesNotContain("HP0819");
        mount.resize(2 * HOME_MIB); // for what comes home
        TieredLedgersIT.verifiedAndTakenOut(cluster, load, cluster.workspace().tier("ledgers"));
        assertThat(ballast).doesNotExist();
      }
      System.out.println("the ledger directory was full " + i + " of " + TIMES + " times");
    }
  }

  private static void goesOn(Cluster cluster, LedgerLoad load, Path others) throws Exception {
    BookieNode bookie = cluster.bookie();
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    while (System.nanoTime() < end) {
      load.awaitAcknowledged(load.figures().acknowledged() + 500, PATIENCE);
      assertThat(load.figures().failures()).as(load.figures().error()).isZero();
    }
    assertThat(log(bookie)).contains("HP0822", "HP0320").doesNotContain(READ_ONLY, "HP0824");
    bookie.kill();
    bookie.start(); // on a full disk
    load.awaitAcknowledged(load.figures().acknowledged() + 2_000, PATIENCE);
    assertThat(log(bookie)).doesNotContain(READ_ONLY);
    Files.delete(others);
    load.awaitAcknowledged(load.figures().acknowledged() + 2_000, PATIENCE).stop();
    System.out.println("adds went on while it was full: " + Cluster.verified(load));
  }

  private static void becomesReadOnly(Cluster cluster, LedgerLoad load, Path others)
      throws Exception {
    BookieNode bookie = cluster.bookie();
    Await.until("it is read-only", () -> log(bookie).contains(READ_ONLY));
    Await.until("adds are refused", () -> load.figures().failures() > 0);
    Files.delete(others);
    Await.until("it is writable again", () -> log(bookie).contains(WRITABLE));
    load.awaitAcknowledged(load.figures().acknowledged() + 6_000, PATIENCE).stop();
    System.out.println("after it was read-only: " + Cluster.verified(load));
  }

  private static String log(BookieNode bookie) throws IOException {
    return Files.readString(bookie.server().log());
  }
}
