// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.observe.Metric.Bean;
import io.headpond.observe.Metric.Kind;
import io.headpond.observe.Metric.Unit;
import io.headpond.store.facts.StoreFacts;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The table, and what a scrape makes of it. */
class MetricsTest {
  private static final Pattern LINE = Pattern.compile("([a-z0-9_]+)(\\{[^}]*\\})? (-?[0-9.e-]+)");

  @Test
  void aMetricWithoutDescriptionOrWithoutItsUnitInItsNameIsRefused() {
    assertThatThrownBy(() -> metric("headpond_a_bytes", " ")).hasMessageContaining("description");
    assertThatThrownBy(() -> metric("headpond_a", "A.")).hasMessageContaining("bytes");
    assertThatThrownBy(() -> metric("Headpond a_bytes", "A.")).hasMessageContaining("name");
  }

  private static Metric<StoreFacts> metric(final String name, final String description) {
    return new Metric<>(
        Bean.APPEND,
        "a",
        name,
        Kind.GAUGE,
        Unit.BYTES,
        List.of(),
        "1",
        description,
        f -> List.of());
  }

  @Test
  void noTwoMetricsShareANameAndEachDescriptionIsASentence() {
    Shown.assertDistinct(Metrics.ALL);
  }

  @Test
  void aScrapeHasEveryMetricAndItsValues() throws Exception {
    try (ObservedStore observed = new ObservedStore();
        FileChannel channel = observed.append("orders-0", 0, ObservedStore.MIB)) {
      final String text = Scrape.text(Metrics.ALL, observed.store().facts(), false);
      for (final Metric<?> metric : Metrics.ALL) {
        assertThat(text).contains("# TYPE " + metric.sampleName() + " " + metric.kind().key());
      }
      assertThat(text.lines())
          .contains(
              "headpond_tier_capacity_bytes{tier=\"pmem\"} 67108864",
              "headpond_tier_active_segments{tier=\"pmem\"} 1",
              "headpond_tier_appended_bytes_total{tier=\"pmem\"} 1048576",
              "headpond_tier_appended_bytes_total{tier=\"home\"} 0",
              "headpond_appends_total 16",
              "headpond_append_duration_seconds_count 1",
              "headpond_incidents_total{kind=\"overflow\"} 0");
      assertThat(text.lines().filter(line -> !line.startsWith("#")))
          .allMatch(line -> LINE.matcher(line).matches() || line.contains("le=\"+Inf\""));
      assertThat(channel.isOpen()).isTrue();
    }
  }

  @Test
  void topicsAreInTheScrapeAsFarAsTheirLimitGoes() throws Exception {
    try (ObservedStore observed = new ObservedStore().with("headpond.metrics.topics", "3")) {
      for (int i = 0; i < 10; i++) {
        observed.append("topic" + i + "-0", 0, 1_000).close();
      }
      observed.append("topic0-1", 0, 10).close();
      final List<String> lines =
          Scrape.text(Metrics.ALL, observed.store().facts(), false)
              .lines()
              .filter(line -> line.startsWith("headpond_topic_segments{"))
              .toList();
      assertThat(lines).hasSize(4 * 2);
    }
  }

  @Test
  void theBucketsOfAHistogramRiseAndEndAtItsCount() throws Exception {
    try (ObservedStore observed = new ObservedStore();
        FileChannel channel = observed.append("orders-0", 0, 32 * ObservedStore.MIB)) {
      final String text = Scrape.text(Metrics.ALL, observed.store().facts(), true);
      final List<Long> counts = new ArrayList<>();
      text.lines()
          .filter(line -> line.startsWith("headpond_append_duration_seconds_bucket"))
          .forEach(line -> counts.add(Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))));
      assertThat(counts).isSorted().hasSize(27).last().isEqualTo(32L);
      assertThat(text).endsWith("# EOF\n").contains("# UNIT headpond_appended_bytes bytes\n");
      assertThat(channel.isOpen()).isTrue();
    }
  }

  /** What a path may hold: a label's value must not end the label. */
  @Test
  void aLabelsValueIsEscaped() throws Exception {
    try (ObservedStore observed = new ObservedStore()) {
      final Path odd = Files.createDirectories(observed.home.resolve("a\"b\\c"));
      observed.with("headpond.log.dirs", odd.toString());
      assertThat(Scrape.text(Metrics.ALL, observed.store().facts(), false))
          .contains("a\\\"b\\\\c\"} ");
    }
  }

  @Test
  void promtoolFindsNothingWrong() throws Exception {
    final Optional<Path> promtool = Programs.find("promtool");
    Assumptions.assumeTrue(promtool.isPresent(), "promtool isn't installed here");
    try (ObservedStore observed = new ObservedStore();
        FileChannel channel = observed.append("orders-0", 0, ObservedStore.MIB)) {
      final Programs.Run run =
          Programs.run(
              Scrape.text(Metrics.ALL, observed.store().facts(), false),
              promtool.get().toString(),
              "check",
              "metrics");
      assertThat(run.output()).isEmpty();
      assertThat(run.exitCode()).isZero();
      assertThat(channel.isOpen()).isTrue();
    }
  }
}
