// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Monitored;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a real bookie shows of its journal and its entry logs. */
@Tag("extra")
class BookieMonitoringIT {
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @Test
  void aBookieShowsWhatItAppendsAndMoves() throws Exception {
    System.out.println("seed " + SEED);
    int port = Ports.free(1)[0];
    try (Cluster cluster =
        new Cluster("monitoring", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      BookieNode bookie =
          TieredLedgersIT.tiered(cluster.bookie(), cluster.workspace().tier("fast"));
      bookie
          .set("headpond.ledger.migrate.threshold", "0")
          .set("journalReuseFiles", "true")
          .set("journalMaxSizeMB", "2")
          .set("journalPreAllocSizeMB", "1")
          .set("journalMaxBackups", "12");
      bookie.server().jvmArguments(Monitored.jmxArguments(port).toArray(String[]::new));
      bookie.start();
      LedgerLoad load = load(cluster).start().awaitAcknowledged(40_000, PATIENCE).stop();

      String journal = "type=Journal,journal=" + bookie.journalDirs().get(0);
      String ledgers = "type=Ledger,ledger-dir=" + bookie.ledgerDirs().get(0);
      double acknowledged = load.figures().acknowledged() * 1_000.0;
      Await.until(
          "the beans show the last second",
          () -> Monitored.overJmx(port, journal, "bytes-total") > acknowledged);
      assertThat(Monitored.overJmx(port, journal, "writes-total")).isPositive();
      assertThat(Monitored.overJmx(port, journal, "reused-files-total")).isPositive();
      assertThat(Monitored.overJmx(port, ledgers, "moved-bytes-total")).isPositive();
      assertThat(Monitored.overJmx(port, ledgers, "writes-failed")).isZero();
      Cluster.verified(load);
    }
  }

  private static LedgerLoad load(Cluster cluster) throws Exception {
    return cluster.load(
        LedgerLoadSettings.of(cluster.metadataUri(), SEED)
            .bytesPerSecond(16 << 20)
            .entriesPerLedger(7_000));
  }
}
