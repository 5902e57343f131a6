// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.systemtests.Prometheus;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real Prometheus scrapes a real bookie: the alert rules and the dashboard's queries hold. */
@Tag("extra")
class BookieScrapeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @BeforeAll
  static void prometheus() {
    Prometheus.assumeNamed();
  }

  @Test
  void everyQueryOfTheDashboardHasSeriesAndEveryRuleIsEvaluated() throws Exception {
    int port = Ports.free(1)[0];
    try (Cluster cluster =
        new Cluster("scrape", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      BookieNode bookie =
          TieredLedgersIT.tiered(cluster.bookie(), cluster.workspace().tier("fast"))
              .set("journalReuseFiles", "true");
      bookie.server().jvmArguments(Prometheus.exporter(port));
      bookie.start();
      LedgerLoad load =
          cluster
              .load(
                  LedgerLoadSettings.of(cluster.metadataUri(), 1)
                      .bytesPerSecond(4 << 20)
                      .entriesPerLedger(7_000))
              .start();
      try (Prometheus prometheus = Prometheus.of(cluster.workspace(), port)) {
        load.awaitAcknowledged(4_000, PATIENCE);
        prometheus.assertThatEveryQueryHasSeries("headpond-bookie-dashboard.json");
        prometheus.assertThatRulesAreEvaluated();
        String journal = "headpond_journal_size_bytes{journal=\"" + bookie.journalDirs().get(0);
        assertThat(prometheus.query(journal + "\"} > 0")).hasSize(1);
        assertThat(prometheus.state("HeadpondJournalFailed")).isEqualTo("inactive");
      }
      Cluster.verified(load.stop());
    }
  }
}
