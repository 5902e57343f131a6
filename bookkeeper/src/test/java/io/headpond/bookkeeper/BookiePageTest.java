// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.observe.Browser;
import io.headpond.observe.HttpSettings;
import io.headpond.observe.Observation;
import io.headpond.observe.Setting;
import io.headpond.pmem.Background;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A bookie's page, of given facts, so that a state can be shown that no sound device gets into; the
 * pages of real bookies are looked at by the system tests.
 */
class BookiePageTest {
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("headpond.journal.persist", "libpmem", true, "How.", Optional.empty()),
          doubtful("journalSyncData", true, "a power cut loses them"),
          doubtful("journalReuseFiles", false, "new pages must be zeroed"),
          doubtful("journalWriteBufferSizeKB", false, "a group goes out in pieces"));

  private static Setting doubtful(final String key, final boolean warning, final String reason) {
    return new Setting(
        key,
        "false",
        false,
        "What it does.",
        Optional.of(new Setting.Doubt(warning, reason, "Set " + key + "=true.")));
  }

  /** Facts that grow with each look, a second of theirs apart. */
  private static Supplier<BookieFacts> growing(
      final BookieFacts.Journal second, final BookieFacts.EntryLogs logs) {
    final AtomicInteger looks = new AtomicInteger();
    final long begun = System.currentTimeMillis();
    return () -> {
      final int appends = 100 * looks.incrementAndGet();
      return new BookieFacts(
          begun + 10L * appends,
          begun - 60_000,
          List.of(BookieMetricsTest.journal("/mnt/pmem0/journal", appends), second),
          List.of(logs),
          new StoreFacts.Background(0, 0),
          SETTINGS);
    };
  }

  private static BookieFacts.EntryLogs logs(final boolean failed) {
    return BookieMetricsTest.entryLogs("/data/ledgers", "/mnt/pmem1/headpond", failed);
  }

  @Test
  void theDocumentHasEachDirectoryWithItsRatesAndWhatIsWrong() throws Exception {
    final BookieHistory history =
        new BookieHistory(growing(BookieMetricsTest.journal("/quiet", 4), logs(true)));
    history.look();
    history.look();
    history.look();
    final JsonNode status = new ObjectMapper().readTree(new BookieStatusDocument(history).json(0));
    assertThat(status.at("/journals/0/appended_bytes_per_second").asLong()).isEqualTo(100 * 4_096);
    assertThat(status.at("/journals/0/p99_ms").asDouble()).isBetween(2.0, 2.4);
    assertThat(status.at("/journals/0/zeroed_ahead_bytes").asLong()).isEqualTo(1 << 20);
    assertThat(status.at("/journals/1/appended_bytes_per_second").asLong()).isZero();
    assertThat(status.at("/journals/1/timed").asLong()).isZero();
    assertThat(status.at("/appends/per_second").asDouble()).isEqualTo(100);
    assertThat(status.at("/entry_logs/0/writes_failed").asBoolean()).isTrue();
    assertThat(status.at("/history/at_ms")).hasSize(2);
    assertThat(status.at("/history/p50_ms/0").asDouble()).isBetween(2.0, 2.4);
    assertThat(status.at("/history/fast_used_bytes").get("/data/ledgers")).hasSize(2);
    assertThat(status.at("/alerts/0/level").asText()).isEqualTo("critical");
    assertThat(status.at("/alerts").findValuesAsText("text").toString())
        .contains("nothing is stored until the bookie restarts", "VOLATILE", "above its threshold");
  }

  @Test
  void riskySettingsAreAlertsAndSlowOnesShareOne() throws Exception {
    final BookieHistory history =
        new BookieHistory(growing(BookieMetricsTest.journal("/quiet", 4), logs(false)));
    history.look();
    final JsonNode status = new ObjectMapper().readTree(new BookieStatusDocument(history).json(0));
    assertThat(status.at("/alerts"))
        .extracting(alert -> alert.get("level").asText() + " " + alert.get("text").asText())
        .contains(
            "warning journalSyncData=false: a power cut loses them",
            "advice Settings that cost speed: journalReuseFiles=false,"
                + " journalWriteBufferSizeKB=false");
    assertThat(status.at("/configuration/1/reason").asText()).isEqualTo("a power cut loses them");
    assertThat(status.at("/configuration/1/remedy").asText())
        .isEqualTo("Set journalSyncData=true.");
    assertThat(status.at("/configuration/0/value").asText()).isEqualTo("libpmem");
    assertThat(status.at("/configuration/0/level").isNull()).isTrue();
  }

  @Test
  void thePagesFiguresAreThoseOfTheMetricsAndAFailureIsCalledOne() throws Exception {
    Browser.assumeNamed();
    try (Observation observation = observed(logs(true))) {
      final String url = Browser.url(observation);
      final String dom = Browser.browse(url, "--dump-dom");
      final Map<String, Double> shown = Browser.shown(dom);
      assertThat(shown).hasSizeGreaterThanOrEqualTo(10);
      shown.keySet().removeIf(line -> line.contains("/mnt/pmem0/journal")); // it grows meanwhile
      assertThat(Browser.scraped(url)).containsAllEntriesOf(shown);
      assertThat(dom)
          .contains(">live<", "FAILED: nothing is stored", "VOLATILE", "/mnt/pmem0/journal")
          .doesNotContain("NaN", "undefined", "Infinity");
      Browser.pictures(url, "bookie-failed");
    }
  }

  @Test
  void aSoundBookieIsCalledSteady() throws Exception {
    Browser.assumeNamed();
    try (Observation observation = observed(logs(false))) {
      final String url = Browser.url(observation);
      assertThat(Browser.browse(url, "--dump-dom"))
          .contains(">live<", "steady", "Journal latency", "\u2013 3 keys to look at")
          .containsSubsequence("journalSyncData", "a power cut loses them", "journal.persist")
          .as("a value between seconds without one is a dot")
          .containsPattern("class=\"c-orange\" d=\"M[0-9. ]+h0")
          .doesNotContain("NaN", "undefined", "Infinity", "FAILED");
      Browser.pictures(url, "bookie");
    }
  }

  private static Observation observed(final BookieFacts.EntryLogs logs) throws IOException {
    return Observation.start(
        new BookieHistory(growing(BookieMetricsTest.journal("/mnt/pmem1/journal", 4), logs))
            .observed(),
        new HttpSettings(Browser.freePort(), "127.0.0.1", "test"),
        new Background((name, failures, cause) -> {}));
  }
}
