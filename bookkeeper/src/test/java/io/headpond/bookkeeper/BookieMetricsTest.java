// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.bookkeeper.BookieFacts.EntryLogs;
import io.headpond.bookkeeper.BookieFacts.Journal;
import io.headpond.observe.HttpSettings;
import io.headpond.observe.Looks;
import io.headpond.observe.Metric;
import io.headpond.observe.Programs;
import io.headpond.observe.Shown;
import io.headpond.observe.Times;
import io.headpond.pmem.Durability;
import io.headpond.store.config.ConfigException;
import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A bookie's metrics, in scrapes and as beans. */
class BookieMetricsTest {
  private static final long MS = 1_000_000;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private static Times times(final int count) {
    final LatencyHistogram histogram = new LatencyHistogram();
    for (int i = 0; i < count; i++) {
      histogram.record(2 * MS);
    }
    return Times.of(histogram);
  }

  static Journal journal(final String path, final int appends) {
    return new Journal(
        path,
        "libpmem",
        Durability.DURABLE,
        "ext4",
        1_000_000,
        400_000,
        appends,
        appends * 4096L,
        times(appends),
        times(1),
        3,
        7,
        5,
        5 << 20,
        1 << 20,
        0);
  }

  static EntryLogs entryLogs(final String path, final String fast, final boolean inTrouble) {
    return new EntryLogs(
        path,
        fast,
        inTrouble ? Durability.VOLATILE : Durability.DURABLE,
        inTrouble ? "tmpfs" : "ext4",
        100L << 20,
        50L << 20,
        (inTrouble ? 60L : 48L) << 20,
        4,
        9,
        90L << 20,
        1,
        inTrouble,
        new BookieFacts.Home(
            1L << 40, inTrouble ? 0 : 1L << 39, inTrouble ? 1 << 20 : 8 << 20, 8 << 20, inTrouble),
        inTrouble);
  }

  private static BookieFacts facts(final long atMs, final List<Journal> journals) {
    return new BookieFacts(
        atMs,
        1_500,
        journals,
        List.of(entryLogs("/data1", "/mnt/fast1", true)),
        new StoreFacts.Background(0, 0),
        List.of());
  }

  @Test
  void everyDirectoryHasItsLines() {
    final BookieFacts facts = facts(1, List.of(journal("/j0", 4), journal("/j1", 6)));
    final String text = Shown.text(BookieMetrics.ALL, facts);
    for (final Metric<BookieFacts> metric : BookieMetrics.ALL) {
      assertThat(text).contains("# TYPE " + metric.sampleName() + " " + metric.kind().key());
    }
    assertThat(text.lines())
        .contains(
            "headpond_journal_info{journal=\"/j0\",back_end=\"libpmem\",durability=\"durable\","
                + "file_system=\"ext4\"} 1",
            "headpond_journal_appends_total{journal=\"/j0\"} 4",
            "headpond_journal_appends_total{journal=\"/j1\"} 6",
            "headpond_journal_append_duration_seconds_bucket{journal=\"/j1\",le=\"+Inf\"} 6",
            "headpond_journal_append_duration_seconds_sum{journal=\"/j1\"} 0.012",
            "headpond_journal_append_duration_seconds_count{journal=\"/j1\"} 6",
            "headpond_entry_logs_volatile{ledger_dir=\"/data1\"} 1",
            "headpond_entry_logs_migration_blocked{ledger_dir=\"/data1\"} 1",
            "headpond_entry_logs_home_ballast_bytes{ledger_dir=\"/data1\"} 1048576",
            "headpond_entry_logs_home_spent{ledger_dir=\"/data1\"} 1",
            "headpond_start_time_seconds 1.5");
  }

  @Test
  void noTwoMetricsShareANameAndEachDescriptionIsASentence() {
    Shown.assertDistinct(BookieMetrics.ALL);
  }

  @Test
  void beansComeAndGoWithTheirDirectories() throws Exception {
    final AtomicReference<BookieFacts> now = new AtomicReference<>(facts(1_000, List.of()));
    final Looks<BookieFacts> looks = new Looks<>(now::get, BookieFacts::atMs);
    final ObjectName journal = new ObjectName("io.headpond:type=Journal,journal=/j0");
    try (Shown<BookieFacts> beans = new Shown<>(BookieMetrics.ALL, looks)) {
      looks.look();
      beans.update();
      assertThat(server.isRegistered(journal)).isFalse();
      assertThat(server.getAttribute(Shown.bean(BookieMetrics.ENTRY_LOGS, "/data1"), "moved-total"))
          .isEqualTo(9.0);
      now.set(facts(3_000, List.of(journal("/j0", 10))));
      looks.look();
      beans.update();
      assertThat(server.getAttribute(journal, "append-total")).isEqualTo(10.0);
      assertThat(server.getAttribute(journal, "back-end")).isEqualTo("libpmem");
      assertThat((double) server.getAttribute(journal, "time-ms-avg")).isEqualTo(2.0);
      assertThat((double) server.getAttribute(journal, "time-ms-p99")).isBetween(2.0, 2.4);
      now.set(facts(4_000, List.of()));
      looks.look();
      beans.update();
      assertThat(server.isRegistered(journal)).isFalse();
    }
    assertThat(server.queryNames(new ObjectName("io.headpond:*"), null)).isEmpty();
  }

  @Test
  void thePortsKeysAreCheckedAsThoseOfABroker() throws Exception {
    assertThat(HttpSettings.parse(Map.of(), "test"))
        .isEqualTo(new HttpSettings(0, "127.0.0.1", "test"));
    assertThat(HttpSettings.parse(Map.of("headpond.http.port", " 7707 "), "test").port())
        .isEqualTo(7707);
    assertThatThrownBy(() -> HttpSettings.parse(Map.of("headpond.http.port", "-1"), "test"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("test", "headpond.http.port", "-1");
    assertThatThrownBy(() -> HttpSettings.parse(Map.of("headpond.http.bind", "a b"), "test"))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void promtoolFindsNothingWrong() throws Exception {
    final Optional<Path> promtool = Programs.find("promtool");
    Assumptions.assumeTrue(promtool.isPresent(), "promtool isn't installed here");
    final String text = Shown.text(BookieMetrics.ALL, facts(1, List.of(journal("/j0", 4))));
    final Programs.Run run = Programs.run(text, promtool.get().toString(), "check", "metrics");
    assertThat(run.output()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }
}
