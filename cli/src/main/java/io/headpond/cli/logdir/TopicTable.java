// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Units;
import io.headpond.store.event.PlainText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The topics of one look, as a table. */
final class TopicTable {
  private static final int TOPICS_MAX = 20;
  private static final String UNKNOWN = "-";

  private TopicTable() {}

  /** Prints those that are appended to most; the rest is in the JSON. */
  static void print(PrintWriter out, List<TopicUse> topics) {
    if (topics.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(header(topics.get(0)));
    topics.stream().limit(TOPICS_MAX).forEach(topic -> rows.add(row(topic)));
    int[] widths = widths(rows);
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String format = i == 0 ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s";
        line.append(String.format(Locale.ROOT, format, row.get(i)));
      }
      out.println(line);
    }
    if (topics.size() > TOPICS_MAX) {
      out.println("and " + Units.count(topics.size() - TOPICS_MAX, "topic") + " more: --json");
    }
  }

  private static List<String> header(TopicUse any) {
    List<String> header =
        new ArrayList<>(List.of("TOPIC", "APPENDED", "READ FAST", "READ HOME", "SEGMENTS"));
    any.places().forEach(place -> header.add("IN " + place.tier().toUpperCase(Locale.ROOT)));
    header.add("OVERFLOWED");
    return header;
  }

  private static List<String> row(TopicUse topic) {
    List<String> row =
        new ArrayList<>(
            List.of(
                PlainText.of(topic.name()),
                rate(topic.appendedBytesPerSecond()),
                rate(topic.fastReadBytesPerSecond()),
                rate(topic.homeReadBytesPerSecond()),
                String.format(Locale.ROOT, "%,d", topic.segments())));
    topic.places().forEach(place -> row.add(Units.bytes(place.bytes())));
    row.add(
        topic.overflowSegments() == null
            ? UNKNOWN
            : String.format(Locale.ROOT, "%,d", topic.overflowSegments()));
    return row;
  }

  private static String rate(Long bytesPerSecond) {
    return bytesPerSecond == null
        ? UNKNOWN
        : Units.bytesPerSecond(bytesPerSecond, Duration.ofSeconds(1));
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }
}
