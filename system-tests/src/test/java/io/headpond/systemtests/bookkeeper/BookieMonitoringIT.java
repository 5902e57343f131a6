// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.systemtests.Monitored;
import java.nio.file.Path;
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
    int[] ports = Ports.free(2);
    try (Cluster cluster =
        new Cluster("monitoring", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      BookieNode bookie =
          TieredLedgersIT.tiered(cluster.bookie(), cluster.workspace().tier("fast"));
      bookie
          .set("headpond.http.port", Integer.toString(ports[0]))
          .set("headpond.ledger.migrate.threshold", "0")
          .set("journalReuseFiles", "true")
          .set("journalMaxSizeMB", "2")
          .set("journalPreAllocSizeMB", "1")
          .set("journalMaxBackups", "12");
      bookie.server().jvmArguments(Monitored.jmxArguments(ports[1]).toArray(String[]::new));
      bookie.start();
      LedgerLoad load = load(cluster).start().awaitAcknowledged(40_000, PATIENCE).stop();

      String journal = "{journal=\"" + bookie.journalDirs().get(0) + "\"}";
      String ledgers = "{ledger_dir=\"" + bookie.ledgerDirs().get(0) + "\"}";
      double bytes = Monitored.metric(ports[0], "headpond_journal_appended_bytes_total" + journal);
      assertThat(bytes).isGreaterThan(load.figures().acknowledged() * 1_000.0);
      assertThat(
              Monitored.metric(
                  ports[0], "headpond_journal_append_duration_seconds_count" + journal))
          .isEqualTo(Monitored.metric(ports[0], "headpond_journal_appends_total" + journal));
      assertThat(Monitored.metric(ports[0], "headpond_journal_reused_files_total" + journal))
          .isPositive();
      assertThat(Monitored.metric(ports[0], "headpond_journal_zeroed_bytes_total" + journal))
          .isPositive();
      assertThat(Monitored.metric(ports[0], "headpond_entry_logs_moved_total" + ledgers))
          .isPositive();
      assertThat(Monitored.metric(ports[0], "headpond_entry_logs_writes_failed" + ledgers))
          .isZero();
      String bean = "type=Journal,journal=" + bookie.journalDirs().get(0);
      assertThat(Monitored.overJmx(ports[1], bean, "bytes-total")).isGreaterThanOrEqualTo(bytes);
      Cluster.verified(load);
    }
  }

  @Test
  void withoutTheJarOfMetricsABookieGoesOnAndSaysSo() throws Exception {
    try (Cluster cluster =
        new Cluster("no-metrics", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      JournalPlugIn whole = JournalPlugIn.find();
      JournalPlugIn without =
          new JournalPlugIn(whole.jars().stream().filter(jar -> !isObserve(jar)).toList());
      assertThat(without.jars()).hasSize(whole.jars().size() - 1);
      BookieNode bookie =
          TieredLedgersIT.tiered(cluster.bookie(), cluster.workspace().tier("fast"))
              .with(without)
              .set("headpond.http.port", Integer.toString(Ports.free(1)[0]))
              .start();
      LedgerLoad load = load(cluster).start().awaitAcknowledged(4_000, PATIENCE).stop();
      assertThat(bookie.server().log())
          .content()
          .contains("no metrics: headpond-observe's jar isn't on the class path");
      Cluster.verified(load);
    }
  }

  private static boolean isObserve(Path jar) {
    return jar.getFileName().toString().startsWith("headpond-observe");
  }

  private static LedgerLoad load(Cluster cluster) throws Exception {
    return cluster.load(
        LedgerLoadSettings.of(cluster.metadataUri(), SEED)
            .bytesPerSecond(16 << 20)
            .entriesPerLedger(7_000));
  }
}
