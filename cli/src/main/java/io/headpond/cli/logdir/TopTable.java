// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Units;
import io.headpond.store.event.PlainText;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The topics of one look, sorted, as a table or as JSON. */
final class TopTable {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final String UNKNOWN = "-";

  /** The columns that a narrow terminal goes without, the first first. */
  private static final List<String> DISPENSABLE =
      List.of("SEGMENTS", "OVERFLOWED", "READ FAST", "READ HOME");

  /** The sort keys of topics. */
  enum Column {
    APPENDED("appended", TopicUse::appendedBytesPerSecond),
    READ_FAST("read-fast", TopicUse::fastReadBytesPerSecond),
    READ_HOME("read-home", TopicUse::homeReadBytesPerSecond),
    SEGMENTS("segments", TopicUse::segments),
    BYTES("bytes", TopicUse::bytes),
    OVERFLOW("overflow", TopicUse::overflowSegments),
    NAME("name", topic -> 0L);

    private final String key;
    private final Function<TopicUse, Long> value;

    Column(String key, Function<TopicUse, Long> value) {
      this.key = key;
      this.value = value;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
      return key;
    }

    /** The most first; what is equal, or not known, by bytes; then by name. */
    private Comparator<TopicUse> order() {
      Comparator<TopicUse> byName = Comparator.comparing(TopicUse::name);
      return this == NAME
          ? byName
          : Comparator.comparing(this::known)
              .thenComparing(TopicUse::bytes)
              .reversed()
              .thenComparing(byName);
    }

    private long known(TopicUse topic) {
      Long known = value.apply(topic);
      return known == null ? 0 : known;
    }
  }

  private final PrintWriter out;
  private final Column sort;
  private final int limit;
  private final boolean json;
  private final int columns;

  /**
   * Prints to {@code out}.
   *
   * @param columns what a line of the terminal holds
   */
  TopTable(PrintWriter out, Column sort, int limit, boolean json, int columns) {
    this.out = json ? out : new Lines(out);
    this.sort = sort;
    this.limit = limit;
    this.json = json;
    this.columns = columns;
  }

  /** Makes room on a terminal. */
  void clearScreen() {
    if (!json) {
      out.print(Watch.clearScreen());
    }
  }

  void print(TopWatch.LookJson look) {
    List<TopicUse> topics = look.topics().stream().sorted(sort.order()).toList();
    if (json) {
      Json.line(
          out,
          new TopWatch.LookJson(
              look.atMs(),
              look.running(),
              look.pid(),
              look.windowMs(),
              look.counted(),
              look.hint(),
              topics));
      return;
    }
    out.println(headline(look, topics.size()));
    if (look.hint() != null) {
      out.println("  " + look.hint());
    }
    if (!topics.isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(header(topics.get(0)));
      topics.stream().limit(limit).forEach(topic -> rows.add(row(topic)));
      List<String> leftOut = narrow(rows);
      align(rows);
      if (!leftOut.isEmpty()) {
        out.println(
            "left out for want of width: " + String.join(", ", leftOut) + "; --json has all");
      }
    }
    if (topics.size() > limit) {
      out.println("and " + Units.count(topics.size() - limit, "topic") + " more: --limit");
    }
    out.println();
    out.flush();
  }

  private String headline(TopWatch.LookJson look, int topics) {
    String clock =
        LocalTime.ofInstant(Instant.ofEpochMilli(look.atMs()), ZoneId.systemDefault())
            .format(CLOCK);
    String owner =
        !look.running()
            ? "no owner runs"
            : "owner: process "
                + look.pid()
                + (!look.counted()
                    ? ""
                    : look.windowMs() == 0
                        ? "; rates from the next look on"
                        : "; rates over the last "
                            + Units.duration(Duration.ofMillis(look.windowMs())));
    return clock + "  " + owner + "; " + Units.count(topics, "topic") + ", by " + sort;
  }

  private static List<String> header(TopicUse any) {
    List<String> header =
        new ArrayList<>(List.of("TOPIC", "APPENDED", "READ FAST", "READ HOME", "SEGMENTS"));
    any.places().forEach(place -> header.add("IN " + place.tier().toUpperCase(Locale.ROOT)));
    header.add("OVERFLOWED");
    return header;
  }

  /** Takes columns away until the rest fits; never the one that is sorted by. */
  private List<String> narrow(List<List<String>> rows) {
    List<String> leftOut = new ArrayList<>();
    for (String name : DISPENSABLE) {
      if (width(rows) <= columns) {
        break;
      }
      int index = rows.get(0).indexOf(name);
      if (!name.toLowerCase(Locale.ROOT).replace(' ', '-').startsWith(sort.key)) {
        rows.forEach(row -> row.remove(index));
        leftOut.add(name);
      }
    }
    return leftOut;
  }

  private static int width(List<List<String>> rows) {
    return Arrays.stream(widths(rows)).map(each -> each + 2).sum() - 2;
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

  /** Names to the left, figures to the right. */
  private void align(List<List<String>> rows) {
    int[] widths = widths(rows);
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String format = i == 0 ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s";
        line.append(String.format(Locale.ROOT, format, row.get(i)));
      }
      out.println(line.toString());
    }
  }
}
