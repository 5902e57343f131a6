// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a demo shows while it runs: a block that is drawn over on a terminal, one line at a time
 * elsewhere.
 */
final class DemoView {

  /** Set by the launcher script if standard output is a terminal. */
  static final String TERMINAL_PROPERTY = "headpond.terminal.out";

  private static final int BAR_CELLS = 40;
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(2);
  private static final String CLEAR_LINE = "\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final long fastCapacity;
  private final String fastLabel;
  private int drawnLines;
  private long plainNanos;

  /**
   * @param fastCapacity bytes of the fast tier
   * @param fastLabel what to call it, as {@code VOLATILE}
   */
  DemoView(PrintWriter out, boolean terminal, long fastCapacity, String fastLabel) {
    this.out = out;
    this.terminal = terminal;
    this.fastCapacity = fastCapacity;
    this.fastLabel = fastLabel;
  }

  /** A line that stays. */
  void say(String line) {
    erase();
    out.println(line);
    out.flush();
  }

  /** Replaces the live block, or now and then prints a line. */
  void show(DemoStatus status) {
    if (terminal) {
      List<String> lines = block(status);
      erase();
      lines.forEach(out::println);
      drawnLines = lines.size();
      out.flush();
    } else if (System.nanoTime() - plainNanos >= PLAIN_INTERVAL.toNanos()) {
      plainNanos = System.nanoTime();
      out.println(line(status));
      out.flush();
    }
  }

  private void erase() {
    for (; drawnLines > 0; drawnLines--) {
      out.print("\u001b[1A" + CLEAR_LINE);
    }
  }

  private List<String> block(DemoStatus s) {
    TierUsage tiers = s.tiers();
    return List.of(
        String.format(Locale.ROOT, "  %-8s %s", Units.duration(s.elapsed()), s.phase()),
        String.format(
            Locale.ROOT,
            "  fast  %s %10s of %s %s, %s",
            bar(tiers.fastBytes(), fastCapacity),
            Units.bytes(tiers.fastBytes()),
            Units.bytes(fastCapacity),
            fastLabel,
            Units.count(tiers.fastSegments(), "segment")),
        String.format(
            Locale.ROOT,
            "  home  %s %10s, overflow: %s",
            bar(tiers.homeBytes(), Math.max(tiers.homeBytes() + tiers.fastBytes(), fastCapacity)),
            Units.bytes(tiers.homeBytes()),
            Units.count(tiers.overflowSegments(), "segment")),
        String.format(
            Locale.ROOT,
            "  produce %s   latency P50 %s  P99 %s   consume %s",
            rate(s.produceBytesPerSecond()),
            ms(s.p50Ms()),
            ms(s.p99Ms()),
            rate(s.consumeBytesPerSecond())),
        String.format(
            Locale.ROOT,
            "  acknowledged %s, %s   read back and compared %s",
            Units.count(s.acknowledgedRecords(), "record"),
            Units.bytes(s.acknowledgedBytes()),
            Units.count(s.checkedRecords(), "record")));
  }

  private String line(DemoStatus s) {
    if (Double.isNaN(s.p99Ms())) {
      return String.format(
          Locale.ROOT,
          "%-8s %s; acknowledged %,d, compared %,d",
          Units.duration(s.elapsed()),
          s.phase(),
          s.acknowledgedRecords(),
          s.checkedRecords());
    }
    return String.format(
        Locale.ROOT,
        "%-8s %s; fast %s of %s %s  home %s  overflow %s  produce %s  P50 %s  P99 %s  consume %s  acknowledged %,d  compared %,d",
        Units.duration(s.elapsed()),
        s.phase(),
        Units.bytes(s.tiers().fastBytes()),
        Units.bytes(fastCapacity),
        fastLabel,
        Units.bytes(s.tiers().homeBytes()),
        Units.count(s.tiers().overflowSegments(), "segment"),
        rate(s.produceBytesPerSecond()),
        ms(s.p50Ms()),
        ms(s.p99Ms()),
        rate(s.consumeBytesPerSecond()),
        s.acknowledgedRecords(),
        s.checkedRecords());
  }

  private static String bar(long part, long whole) {
    int full =
        whole <= 0 ? 0 : (int) Math.min(BAR_CELLS, Math.round((double) BAR_CELLS * part / whole));
    return "[" + "#".repeat(full) + "-".repeat(BAR_CELLS - full) + "]";
  }

  private static String rate(long bytesPerSecond) {
    return Units.bytes(bytesPerSecond) + "/s";
  }

  private static String ms(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f ms", value);
  }
}
