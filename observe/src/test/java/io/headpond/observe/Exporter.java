// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Headpond's beans as the Prometheus JMX exporter shows them by conf/headpond-jmx-exporter.yml: the
 * first rule whose pattern is found gives name, value and labels; a label without a name is none.
 */
public final class Exporter {
  private static final Path RULES =
      Path.of("..", "conf", "headpond-jmx-exporter.yml").toAbsolutePath().normalize();
  private static final Pattern RULE =
      Pattern.compile(
          "- pattern: '(.+)'\n +name: (.+)\n( +value: 1\n)? +type: (\\w+)\n +labels: \\{(.+)}");
  private static final Pattern LABEL = Pattern.compile("\"([^\"]+)\": \"([^\"]+)\"");

  private Exporter() {}

  private record Rule(Pattern pattern, String name, boolean one, boolean counter, String labels) {}

  /** All series now, such as {@code headpond_tier_segments{tier="pmem"}}. */
  public static Map<String, Double> series() throws IOException, JMException {
    final List<Rule> rules = new ArrayList<>();
    final Matcher matcher = RULE.matcher(Files.readString(RULES));
    while (matcher.find()) {
      rules.add(
          new Rule(
              Pattern.compile("^.*(?:" + matcher.group(1) + ").*$"),
              matcher.group(2),
              matcher.group(3) != null,
              matcher.group(4).equals("COUNTER"),
              matcher.group(5)));
    }
    final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    final Map<String, Double> series = new TreeMap<>();
    for (final ObjectName name : server.queryNames(new ObjectName("io.headpond:*"), null)) {
      final String keys = name.getKeyPropertyListString().replace(",", ", ");
      for (final MBeanAttributeInfo info : server.getMBeanInfo(name).getAttributes()) {
        final Object value = server.getAttribute(name, info.getName());
        final String line = name.getDomain() + "<" + keys + "><>" + info.getName() + ": " + value;
        add(line, value, rules, series);
      }
    }
    return series;
  }

  private static void add(
      final String line,
      final Object value,
      final List<Rule> rules,
      final Map<String, Double> series) {
    for (final Rule rule : rules) {
      final Matcher matcher = rule.pattern().matcher(line);
      if (matcher.matches()) {
        final String name = safe(matcher.replaceAll(rule.name())).toLowerCase(Locale.ROOT);
        if (name.endsWith("_total") != rule.counter()) {
          throw new AssertionError(line + " has another kind than " + name);
        }
        final double number = rule.one() ? 1 : (Double) value;
        if (series.put(name + labels(rule, matcher), number) != null) {
          throw new AssertionError(name + " twice");
        }
        return;
      }
    }
    throw new AssertionError("no rule for " + line);
  }

  private static String labels(final Rule rule, final Matcher line) {
    final List<String> labels = new ArrayList<>();
    final Matcher label = LABEL.matcher(rule.labels());
    while (label.find()) {
      final String name = safe(line.replaceAll(label.group(1)));
      if (!name.isEmpty()) {
        labels.add(name + "=\"" + line.replaceAll(label.group(2)) + "\"");
      }
    }
    return labels.isEmpty() ? "" : "{" + String.join(",", labels) + "}";
  }

  private static String safe(final String name) {
    return name.replaceAll("[^a-zA-Z0-9_]+", "_");
  }
}
