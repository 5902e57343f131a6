// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.ToolRun;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** BookKeeper's own answer to the loss of a whole bookie works with the plug-in as without it. */
@Tag("extra")
class LostBookieIT {

  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @Test
  void aLostBookieIsRestoredFromTheOthersJournalsAndLedgers() throws Exception {
    System.out.println("seed " + SEED);
    try (Cluster cluster =
        new Cluster("lost-bookie", Engine.BOOKKEEPER.current(), JavaHome.current(), 3)) {
      for (BookieNode bookie : cluster.bookies()) {
        recovering(bookie).start();
      }
      LedgerLoad load =
          cluster.load(
              LedgerLoadSettings.of(cluster.metadataUri(), SEED)
                  .quorum(new LedgerQuorum(3, 3, 2, false))
                  .bytesPerSecond(6 << 20)
                  .entriesPerLedger(3_000));
      load.start().awaitAcknowledged(12_000, PATIENCE);
      BookieNode lost = cluster.bookies().get(2);
      lost.kill();
      wipe(lost);
      BookieNode replacement = recovering(cluster.add("bookie-3")).start();
      load.awaitAcknowledged(load.figures().acknowledged() + 6_000, PATIENCE).stop();
      Cluster.verified(load);

      // Waits until every ledger of the lost one has been copied to another.
      ToolRun run = cluster.bookie().shell("decommissionbookie", "-bookieid", lost.id());
      assertThat(run.exitCode()).as(run.output()).isZero();
      cluster.bookies().get(0).kill();
      cluster.bookies().get(1).kill();
      assertThat(replacement.server().running()).isTrue();
      ContentReport report = Cluster.verified(load);
      System.out.println("from the replacement alone: " + report);
    }
  }

  private static BookieNode recovering(BookieNode bookie) throws Exception {
    return bookie
        .with(JournalPlugIn.find())
        .set("journalReuseFiles", "true")
        .set("journalMaxSizeMB", "4")
        .set("journalPreAllocSizeMB", "1")
        .set("autoRecoveryDaemonEnabled", "true")
        .set("lostBookieRecoveryDelay", "0")
        .set("openLedgerRereplicationGracePeriod", "1000");
  }

  private static void wipe(BookieNode bookie) throws Exception {
    for (Path dir : bookie.journalDirs()) {
      FolderRemoval.remove(dir, false);
    }
    for (Path dir : bookie.ledgerDirs()) {
      FolderRemoval.remove(dir, false);
    }
  }
}
