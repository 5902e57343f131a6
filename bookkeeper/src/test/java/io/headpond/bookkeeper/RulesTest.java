// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.observe.LatencyFigures;
import io.headpond.observe.Metric;
import io.headpond.observe.MetricGroup;
import io.headpond.observe.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Alert rules and dashboard ask for metrics that there are, in words that Prometheus understands.
 */
class RulesTest {
  private static final int ALERTS_MAX = 16;

  private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();
  private static final Path RULES = CONF.resolve("headpond-rules.yml");
  private static final Path RULES_TEST = CONF.resolve("headpond-rules-test.yml");
  private static final List<String> DASHBOARDS =
      List.of("headpond-dashboard.json", "headpond-bookie-dashboard.json");
  private static final Path RUNBOOK = CONF.resolveSibling("docs").resolve("runbook.md");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
  private static final Pattern RUNBOOK_URL = Pattern.compile("runbook_url: \"(.+)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| \\[(Headpond\\w+)]\\(");
  private static final Pattern SECTION = Pattern.compile("(?m)^### (\\w+)$");
  private static final Pattern SILENT =
      Pattern.compile("\\{eval_time: \\w+, alertname: (\\w+), exp_alerts: \\[]}");
  private static final Pattern FIRING =
      Pattern.compile("- eval_time: \\w+\\s+alertname: (\\w+)\\s+exp_alerts:\\s+- exp_labels");
  private static final Pattern NAME = Pattern.compile("headpond(_[a-z0-9]+)+");

  private static Set<String> known() {
    final Set<String> names = new TreeSet<>();
    for (final List<? extends MetricGroup<?, ?>> all : List.of(Metrics.ALL, BookieMetrics.ALL)) {
      for (final MetricGroup<?, ?> group : all) {
        for (final Metric<?> metric : group.metrics()) {
          final String name =
              ("headpond_" + group.type() + "_" + metric.attribute())
                  .toLowerCase(Locale.ROOT)
                  .replace('-', '_');
          names.add(name);
          if (metric.kind() == Metric.Kind.TIMES) {
            LatencyFigures.NAMES.forEach(figure -> names.add(name + "_" + figure));
          }
        }
      }
    }
    return names;
  }

  private static Set<String> names(final String text) {
    final Set<String> names = new TreeSet<>();
    final Matcher matcher = NAME.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }

  @Test
  void rulesAndDashboardNameOnlyMetricsThatThereAre() throws IOException {
    assertThat(known()).containsAll(names(Files.readString(RULES)));
    assertThat(names(Files.readString(RULES))).hasSizeGreaterThan(5);
    for (final String name : DASHBOARDS) {
      final JsonNode dashboard = new ObjectMapper().readTree(CONF.resolve(name).toFile());
      for (final JsonNode panel : dashboard.get("panels")) {
        assertThat(panel.at("/description").asText()).endsWith(".");
        for (final JsonNode target : panel.get("targets")) {
          assertThat(known()).containsAll(names(target.get("expr").asText()));
        }
      }
    }
  }

  private static List<String> groups(final Pattern pattern, final String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }

  @Test
  void everyAlertLeadsToItsSectionOfTheRunbook() throws IOException {
    final String rules = Files.readString(RULES);
    final List<String> alerts = groups(ALERT, rules);
    assertThat(alerts).hasSizeBetween(10, ALERTS_MAX).doesNotHaveDuplicates();
    final String runbook = Files.readString(RUNBOOK);
    assertThat(groups(SECTION, runbook)).containsExactlyElementsOf(alerts);
    assertThat(groups(ROW, runbook)).containsExactlyElementsOf(alerts);
    assertThat(groups(RUNBOOK_URL, rules))
        .containsExactlyElementsOf(
            alerts.stream()
                .map(alert -> "docs/runbook.md#" + alert.toLowerCase(Locale.ROOT))
                .toList());
  }

  @Test
  void everyAlertIsTestedBothFiringAndSilent() throws IOException {
    final Set<String> alerts = new TreeSet<>(groups(ALERT, Files.readString(RULES)));
    final String tests = Files.readString(RULES_TEST);
    assertThat(new TreeSet<>(groups(FIRING, tests))).isEqualTo(alerts);
    assertThat(new TreeSet<>(groups(SILENT, tests))).isEqualTo(alerts);
  }

  @Test
  void promtoolFindsTheRulesRightAndTheirTestsPass() throws Exception {
    final String named = System.getProperty("headpond.test.promtool", "promtool");
    Assumptions.assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder).resolve(named))),
        "promtool isn't installed here");
    passes(named, "check", "rules", RULES.toString());
    passes(named, "test", "rules", RULES_TEST.toString());
  }

  private static void passes(final String... command) throws Exception {
    final Path output = Files.createTempFile("headpond-promtool", ".txt");
    try {
      final Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      Files.delete(output);
    }
  }
}
