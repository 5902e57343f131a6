// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.observe.LatencyFigures;
import io.headpond.observe.Metric;
import io.headpond.observe.MetricGroup;
import io.headpond.observe.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * docs/metrics.md is made from {@link Metrics} and {@link BookieMetrics}. {@code
 * -Dheadpond.docs.write=true} writes its tables anew.
 */
class MetricsPageTest {
  private static final int METRICS_MAX = 55;

  private static final Path PAGE =
      Path.of("..").toAbsolutePath().normalize().resolve("docs/metrics.md");
  private static final String START = "<!-- metrics: written from Metrics -->\n";
  private static final String END = "<!-- end of metrics -->\n";
  private static final String BOOKIE_START = "<!-- metrics: written from BookieMetrics -->\n";
  private static final String BOOKIE_END = "<!-- end of bookie metrics -->\n";

  private static String tables(final List<? extends MetricGroup<?, ?>> all) {
    final Map<String, List<String>> rows = new LinkedHashMap<>();
    for (final MetricGroup<?, ?> group : all) {
      final List<String> ofType = rows.computeIfAbsent(group.type(), type -> new ArrayList<>());
      group.metrics().forEach(metric -> ofType.add(row(group, metric)));
    }
    final StringBuilder text = new StringBuilder();
    rows.forEach(
        (type, ofType) ->
            text.append("\n## ")
                .append(type)
                .append("\n\n| Prometheus | JMX | kind | meaning |\n|---|---|---|---|\n")
                .append(String.join("", ofType)));
    return text.append('\n').toString();
  }

  private static String row(final MetricGroup<?, ?> group, final Metric<?> metric) {
    final String prometheus =
        "headpond_" + group.type().toLowerCase(Locale.ROOT) + "_" + underscored(metric.attribute());
    final List<String> labels = new ArrayList<>(group.keys());
    if (metric.kind() == Metric.Kind.TEXT) {
      labels.add(metric.attribute());
    }
    final boolean times = metric.kind() == Metric.Kind.TIMES;
    return "| `"
        + prometheus
        + (times ? "_" + LatencyFigures.NAMES.get(0) : "")
        + (labels.isEmpty() ? "" : "{" + underscored(String.join(",", labels)) + "}")
        + "` | "
        + (times
            ? "`" + metric.attribute() + "-" + String.join("`, `-", LatencyFigures.NAMES) + "`"
            : "`" + metric.attribute() + "`")
        + " | "
        + metric.kind().key()
        + " | "
        + metric.description()
        + " |\n";
  }

  private static String underscored(final String text) {
    return text.replace('-', '_');
  }

  @Test
  void thePageListsExactlyTheMetricsThatTheCodeHas() throws IOException {
    listed(START, END, tables(Metrics.ALL));
    listed(BOOKIE_START, BOOKIE_END, tables(BookieMetrics.ALL));
  }

  @Test
  void aPersonCanReadThemAll() throws IOException {
    assertThat(
            Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("| `headpond_"))
                .distinct())
        .hasSizeLessThanOrEqualTo(METRICS_MAX);
  }

  private static void listed(final String from, final String to, final String tables)
      throws IOException {
    String page = Files.readString(PAGE);
    final int start = page.indexOf(from) + from.length();
    if (Boolean.getBoolean("headpond.docs.write")) {
      page = page.substring(0, start) + tables + page.substring(page.indexOf(to));
      Files.writeString(PAGE, page);
    }
    assertThat(page.substring(start, page.indexOf(to)))
        .as("run this test with -Dheadpond.docs.write=true to bring docs/metrics.md up to date")
        .isEqualTo(tables);
  }
}
