// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.OldVersion;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A bookie's journal and tiered entry logs, served by an older version and by this one in turns.
 */
@Tag("extra")
class VersionChangeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int ENTRIES_OF_A_LIFE = 30_000;

  private final OldVersion old = OldVersion.named();

  @Test
  void noEntryIsLostByUpgradesAndDowngradesAfterStopsAndKills() throws Exception {
    try (Cluster cluster =
        new Cluster("version-change", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      Path fast = cluster.workspace().tier("ledgers");
      BookieNode bookie = TieredLedgersIT.tiered(cluster.bookie(), fast);
      LedgerLoad load =
          cluster.load(
              LedgerLoadSettings.of(cluster.metadataUri(), 5)
                  .writers(2, 64)
                  .bytesPerSecond(24 << 20)
                  .entriesPerLedger(7_000));
      start(bookie, true);
      // Each life ends under load, by a kill or in good order; the next one is the other version's.
      boolean[] kills = {false, false, true, true, false, true, false};
      for (int life = 0; life < kills.length; life++) {
        load.start().awaitAcknowledged(load.figures().acknowledged() + ENTRIES_OF_A_LIFE, PATIENCE);
        if (kills[life]) {
          bookie.kill();
        } else {
          bookie.stop();
        }
        start(bookie, life % 2 == 1);
        load.awaitAcknowledged(load.figures().acknowledged() + 1_000, PATIENCE).stop();
        System.out.println("life " + life + ": " + Cluster.verified(load));
      }
      assertThat(TieredLedgersIT.count(TieredLedgersIT.logs(bookie), false)).isPositive();
      TieredLedgersIT.verifiedAndTakenOut(cluster, load, fast);
    }
  }

  private void start(BookieNode bookie, boolean old) throws Exception {
    bookie.with(old ? this.old.journalPlugIn() : JournalPlugIn.find()).start();
    this.old.assertLoaded(bookie.server().pid(), old);
  }
}
