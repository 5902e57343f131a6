// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * SIGKILL of a bookie while a compaction writes, with clients that write and entry logs that are
 * migrated meanwhile. Half of the ledgers, interleaved with the others, are deleted in each round.
 *
 * <p>{@code -Dheadpond.bookkeeper.rounds=N} kills more often.
 */
@Tag("extra")
class KilledCompactionIT {
  private static final int ROUNDS = Integer.getInteger("headpond.bookkeeper.rounds", 2);

  /** More rounds until a kill has met a compaction. */
  private static final int MORE_ROUNDS = 4;

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Duration BEGIN_LIMIT = Duration.ofSeconds(30);

  /** Entries of a round: about 16 MiB, four logs. */
  private static final int ENTRIES = 16_000;

  private static final int GROWTH_BYTES_MIN = 16 << 10;
  private static final int GROWTH_BYTES_MAX = 3 << 20;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private int kills;
  private int within;
  private long copied;
  private ContentReport compared = new ContentReport(0, 0, 0, 0, 0, List.of());

  @Test
  void killsWithinADefaultCompactionLoseNothing() throws Exception {
    killedWithin("default");
  }

  @Test
  void killsWithinATransactionalCompactionLoseNothing() throws Exception {
    killedWithin("transactional");
  }

  private void killedWithin(String compaction) throws Exception {
    System.out.println("seed " + SEED);
    try (Cluster cluster =
        new Cluster("compaction", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      Path fast = cluster.workspace().tier("ledgers");
      BookieNode bookie = TieredLedgersIT.tiered(cluster.bookie(), fast);
      compacting(bookie, compaction.equals("transactional")).start();
      LedgerLoad load =
          cluster.load(
              LedgerLoadSettings.of(cluster.metadataUri(), SEED)
                  .bytesPerSecond(8 << 20)
                  .entriesPerLedger(1_500));
      while (kills < ROUNDS || within == 0 && kills < ROUNDS + MORE_ROUNDS) {
        round(cluster, load);
      }
      TieredLedgersIT.verifiedAndTakenOut(cluster, load, fast);
      System.out.printf(
          "%s compaction: %d kills, %d within one; %d entries copied by then, none to the fast"
              + " device; %s%n",
          compaction, kills, within, copied, compared);
      assertThat(within).as("kills within a compaction").isPositive();
    }
  }

  private void round(Cluster cluster, LedgerLoad load) throws Exception {
    BookieNode bookie = cluster.bookie();
    Path logs = TieredLedgersIT.logs(bookie);
    load.start().awaitAcknowledged(load.figures().acknowledged() + ENTRIES, PATIENCE).stop();
    awaitCheckpoint(logs);
    EntryLogs before = EntryLogs.read(logs);
    OutputGrowth growth = new OutputGrowth(logs);
    load.thin(cluster.workspace().disk().resolve("acknowledged"));
    load.start();
    boolean begun = growth.await(random.nextInt(GROWTH_BYTES_MIN, GROWTH_BYTES_MAX), BEGIN_LIMIT);
    bookie.kill();
    kills++;
    if (outputsAtHome(before, EntryLogs.read(logs)) && begun) {
      within++;
    }
    TieredLedgersIT.headpond("verify", bookie);
    bookie.start();
    load.stop();
    compared = compared.plus(Cluster.verified(load));
  }

  /**
   * Waits for two checkpoints: the second one began after the load had stopped. From then on only a
   * compaction writes an entry that was acknowledged before to any log.
   */
  private static void awaitCheckpoint(Path logs) throws Exception {
    Path mark = logs.resolve("lastMark");
    for (int i = 0; i < 2; i++) {
      FileTime before = Files.getLastModifiedTime(mark);
      Await.until("a checkpoint", () -> !Files.getLastModifiedTime(mark).equals(before));
    }
  }

  /**
   * Checks that no cold entry went to the fast device; true if the kill was within a compaction.
   */
  private boolean outputsAtHome(EntryLogs before, EntryLogs after) {
    List<EntryLogs.Output> outputs = after.outputsSince(before);
    for (EntryLogs.Output output : outputs) {
      assertThat(output.log().onFast())
          .as(
              "%d cold entries went to log %s on the fast device",
              output.entries().size(), output.log().id())
          .isFalse();
      copied += output.entries().size();
    }
    return outputs.stream().anyMatch(after::inTheMiddle);
  }

  /** Compacts each log of which a fifth is dead, a second later, at a rate that takes seconds. */
  private static BookieNode compacting(BookieNode bookie, boolean transactional) {
    return bookie.set("useTransactionalCompaction", Boolean.toString(transactional)).compactSoon();
  }
}
