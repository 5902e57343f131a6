// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.observe.Metric;
import io.headpond.observe.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * docs/metrics.md is made from {@link Metrics} and {@link BookieMetrics}. {@code
 * -Dheadpond.docs.write=true} writes its tables anew.
 */
class MetricsPageTest {
  private static final Path PAGE =
      Path.of("..").toAbsolutePath().normalize().resolve("docs/metrics.md");
  private static final String START = "<!-- metrics: written from Metrics -->\n";
  private static final String END = "<!-- end of metrics -->\n";
  private static final String BOOKIE_START = "<!-- metrics: written from BookieMetrics -->\n";
  private static final String BOOKIE_END = "<!-- end of bookie metrics -->\n";

  private static String tables(final List<? extends Metric<?>> all) {
    final StringBuilder text = new StringBuilder();
    for (final Metric.Bean bean : beans(all)) {
      text.append("\n## ").append(bean.type()).append("\n\n");
      text.append(
          "| Prometheus | JMX | kind | unit | since | meaning |\n|---|---|---|---|---|---|\n");
      for (final Metric<?> metric : all) {
        if (metric.bean().equals(bean)) {
          text.append("| `").append(metric.sampleName()).append(labels(metric)).append("` | ");
          text.append(attributes(metric)).append(" | ").append(metric.kind().key()).append(" | ");
          text.append(metric.unit().name().toLowerCase(Locale.ROOT).replace("none", "-"));
          text.append(" | ").append(metric.since()).append(" | ");
          text.append(metric.description()).append(" |\n");
        }
      }
    }
    return text.append('\n').toString();
  }

  /** In the order of their first metrics; the plug-in's comes last. */
  private static List<Metric.Bean> beans(final List<? extends Metric<?>> all) {
    return all.stream()
        .<Metric.Bean>map(Metric::bean)
        .distinct()
        .sorted(Comparator.comparing(Metric.Bean.PLUGIN::equals))
        .toList();
  }

  private static String labels(final Metric<?> metric) {
    return metric.labels().isEmpty() ? "" : "{" + String.join(",", metric.labels()) + "}";
  }

  private static String attributes(final Metric<?> metric) {
    final List<String> labels =
        metric.labels().subList(metric.bean().label().isEmpty() ? 0 : 1, metric.labels().size());
    if (metric.name().endsWith("_info")) {
      return "`" + String.join("`, `", labels).replace('_', '-') + "`";
    }
    final String name = metric.attribute() + "-NAME".repeat(labels.size());
    return switch (metric.kind()) {
      case GAUGE -> "`" + name + "`";
      case COUNTER -> "`" + name + "-total`, `-rate`";
      case HISTOGRAM -> "`" + name + "-avg`, `-max`, `-p50`, `-p99`, `-p999`";
    };
  }

  @Test
  void thePageListsExactlyTheMetricsThatTheCodeHas() throws IOException {
    listed(START, END, tables(Metrics.ALL));
    listed(BOOKIE_START, BOOKIE_END, tables(BookieMetrics.ALL));
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
