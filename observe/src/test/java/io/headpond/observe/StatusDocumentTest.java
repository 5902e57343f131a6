// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the page is fed with. */
class StatusDocumentTest {
  private static JsonNode parse(final String json) throws Exception {
    return new ObjectMapper().readTree(json);
  }

  @Test
  void itHasTheTiersTheAlertsAndEveryKeyOfTheConfiguration() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.tier.pmem.capacity", "2MiB")) {
      final History history = new History(observed.store()::facts);
      history.look();
      try (FileChannel fits = observed.append("orders-0", 0, 2 * ObservedStore.MIB);
          FileChannel overflows = observed.append("orders-0", 100, ObservedStore.MIB);
          FileChannel next = observed.append("orders-0", 200, 100)) {
        history.look();
        final StatusDocument document = new StatusDocument(history, observed.store().config());
        final JsonNode status = parse(document.json(0));
        assertThat(status.at("/tiers/0/name").asText()).isEqualTo("pmem");
        assertThat(status.at("/tiers/0/capacity_bytes").asLong()).isEqualTo(2 << 20);
        assertThat(status.at("/tiers/0/threshold_bytes").isNull()).isTrue();
        assertThat(status.at("/appends/bytes").asLong()).isEqualTo(3 * ObservedStore.MIB + 100);
        assertThat(status.at("/incidents/overflow").asLong()).isPositive();
        assertThat(status.at("/events/0/text").asText()).contains("orders-0");
        assertThat(status.at("/alerts").findValuesAsText("text").toString())
            .contains("in the last 15 minutes", "-1: only retention makes room");
        assertThat(status.at("/configuration").findValuesAsText("key"))
            .hasSize(ConfigKey.ALL.size())
            .contains("headpond.tier.pmem.capacity", "headpond.http.port");
        assertThat(status.at("/configuration"))
            .filteredOn(key -> !key.get("level").isNull())
            .extracting(key -> key.get("key").asText() + ": " + key.get("reason").asText())
            .contains(
                "headpond.tier.pmem.migrate.threshold: headpond.tier.pmem.migrate.threshold=-1:"
                    + " only retention makes room in the tier");
        final long at = status.at("/history/at_ms/0").asLong();
        assertThat(at).isPositive();
        assertThat(status.at("/history/tier_segment_bytes/pmem/0").asLong()).isPositive();
        assertThat(parse(document.json(at)).at("/history/at_ms")).isEmpty();
        assertThat(List.of(fits, overflows, next)).allMatch(FileChannel::isOpen);
      }
    }
  }

  @Test
  void eachCountIsInTheStatusDocumentAndTheScrape() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.tier.pmem.capacity", "2MiB")) {
      try (FileChannel fits = observed.append("orders-0", 0, 2 * ObservedStore.MIB);
          FileChannel overflows = observed.append("orders-0", 100, ObservedStore.MIB)) {
        assertThat(List.of(fits, overflows)).allMatch(FileChannel::isOpen);
      }
      final StoreFacts facts = observed.store().facts();
      assertThat(facts.count(Count.OVERFLOW_SEGMENTS)).isPositive();
      final History history = new History(() -> facts);
      history.look();
      final JsonNode status = parse(new StatusDocument(history, observed.store().config()).json(0));
      for (final Count each : Count.values()) {
        final String area = each.series().area().name().toLowerCase(Locale.ROOT);
        assertThat(status.at("/" + area + "/" + each.jsonKey()).asLong(-1))
            .as("%s", each)
            .isEqualTo(facts.count(each));
        assertThat(scraped(facts, each)).as("%s", each).isEqualTo(facts.count(each));
      }
      assertThat(Arrays.stream(Count.values()).map(Count::key)).doesNotHaveDuplicates();
    }
  }

  private static double scraped(final StoreFacts facts, final Count count) {
    return Metrics.ALL.stream()
        .filter(metric -> metric.name().equals(count.series().metric()))
        .flatMap(metric -> metric.reader().apply(facts).stream())
        .filter(sample -> String.join("", sample.labels()).equals(count.labelValue()))
        .mapToDouble(Sample::value)
        .sum();
  }

  @Test
  void aKeyOfKafkaThatGoesAroundHeadpondIsShownWithItsReason() throws Exception {
    try (ObservedStore observed =
        new ObservedStore().with("log.preallocate", "true").with("node.id", "7")) {
      final History history = new History(observed.store()::facts);
      history.look();
      assertThat(
              parse(new StatusDocument(history, observed.store().config()).json(0))
                  .at("/engine_id")
                  .asText())
          .isEqualTo("7");
      final JsonNode keys =
          parse(new StatusDocument(history, observed.store().config()).json(0))
              .at("/configuration");
      final JsonNode last = keys.get(keys.size() - 1);
      assertThat(last.get("key").asText()).isEqualTo("log.preallocate");
      assertThat(last.get("level").asText()).isEqualTo("warning");
      assertThat(last.get("reason").asText()).contains("around Headpond: all stay home");
    }
  }

  @Test
  void aTopicHasWhatLiesWhereAndHowFastItGrows() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.metrics.topics", "5")) {
      try (FileChannel orders = observed.append("orders-0", 0, ObservedStore.MIB)) {
        final History history = new History(observed.store()::facts);
        history.look();
        final long begun = System.currentTimeMillis();
        ObservedStore.append(orders, ObservedStore.MIB);
        while (System.currentTimeMillis() == begun) {
          Thread.onSpinWait();
        }
        history.look();
        final JsonNode status =
            parse(new StatusDocument(history, observed.store().config()).json(0));
        assertThat(status.at("/topics/0/name").asText()).isEqualTo("orders");
        final JsonNode pmem = status.at("/topics/0/places/0");
        assertThat(pmem.get("tier").asText()).isEqualTo("pmem");
        assertThat(pmem.get("segments").asLong()).isEqualTo(1);
        assertThat(pmem.get("appended_bytes").asLong()).isEqualTo(2 * ObservedStore.MIB);
        assertThat(pmem.get("appended_bytes_per_second").asLong())
            .isGreaterThanOrEqualTo(ObservedStore.MIB);
        assertThat(status.at("/topics/1/name").asText()).isEqualTo("(other)");
      }
    }
  }

  @Test
  void whateverAPathOrAnErrorHoldsIsAStringInJson() throws Exception {
    final StringBuilder all = new StringBuilder();
    for (char c = 0; c < 0x2100; c++) {
      all.append(c);
    }
    assertThat(parse(JsonText.of(Map.of("a", all))).get("a").asText()).isEqualTo(all.toString());
    assertThat(
            JsonText.of(
                Arrays.asList(Double.NaN, 0.5, 1e18, 3L, null, true, Map.of(), "</script>")))
        .isEqualTo("[null,0.5,1.0e18,3,null,true,{},\"\\u003c/script>\"]");
  }

  @Test
  void thePageHoldsItsStyleAndScriptAndNamesNoOtherHost() {
    final HttpResponse page = new LivePage(new PagePart(Observation.class, "store")).response();
    final String html = new String(page.body(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(html).contains("class Chart", ".vessel").doesNotContain("/*STYLE*/", "/*SCRIPT*/");
    assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("://", "innerHTML");
    assertThat(page.headers().get("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'sha256-");
  }
}
