// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import java.util.List;
import java.util.Locale;

/**
 * The live view of the demo of Kafka.
 *
 * @param fastLabel what to call the fast tier, as {@code VOLATILE}
 */
record DemoView(LiveBlock screen, DemoSettings settings, String fastLabel) {

  private static final int BAR_CELLS = 40;

  /** A line that stays. */
  void say(String line) {
    screen.say(line);
  }

  /** Replaces what is shown. */
  void show(DemoStatus status) {
    screen.show(() -> block(status), () -> line(status));
  }

  private List<String> block(DemoStatus s) {
    TierUsage tiers = s.tiers();
    long capacity = settings.fastCapacity();
    return List.of(
        String.format(Locale.ROOT, "  %-8s %s", Units.duration(s.elapsed()), s.phase()),
        String.format(
            Locale.ROOT,
            "  fast  %s %10s of %s %s, %s%s",
            bar(tiers.fastBytes(), capacity, settings.thresholdBytes()),
            Units.bytes(tiers.fastBytes()),
            Units.bytes(capacity),
            fastLabel,
            Units.count(tiers.fastSegments(), "segment"),
            settings.migrates()
                ? String.format(Locale.ROOT, ", threshold %.0f %%", 100 * settings.threshold())
                : ""),
        String.format(
            Locale.ROOT,
            "  home  %s %10s, %s",
            bar(tiers.homeBytes(), Math.max(tiers.bytes(), capacity), -1),
            Units.bytes(tiers.homeBytes()),
            Units.count(tiers.homeSegments(), "segment")),
        "  " + moves(s.moves()),
        String.format(
            Locale.ROOT,
            "  produce %s   latency P50 %s  P99 %s   consume %s",
            Units.rate(s.produceBytesPerSecond()),
            Units.milliseconds(s.p50Ms()),
            Units.milliseconds(s.p99Ms()),
            Units.rate(s.consumeBytesPerSecond())),
        String.format(
            Locale.ROOT,
            "  acknowledged %s, %s   read back and compared %s",
            Units.count(s.acknowledgedRecords(), "record"),
            Units.bytes(s.acknowledgedBytes()),
            Units.count(s.checkedRecords(), "record")));
  }

  private String line(DemoStatus s) {
    String tiers =
        String.format(
            Locale.ROOT,
            "%-8s %s; fast %s of %s %s  home %s  %s",
            Units.duration(s.elapsed()),
            s.phase(),
            Units.bytes(s.tiers().fastBytes()),
            Units.bytes(settings.fastCapacity()),
            fastLabel,
            Units.bytes(s.tiers().homeBytes()),
            moves(s.moves()));
    String rates =
        Double.isNaN(s.p99Ms())
            ? ""
            : String.format(
                Locale.ROOT,
                "  produce %s  P50 %s  P99 %s  consume %s",
                Units.rate(s.produceBytesPerSecond()),
                Units.milliseconds(s.p50Ms()),
                Units.milliseconds(s.p99Ms()),
                Units.rate(s.consumeBytesPerSecond()));
    return tiers
        + rates
        + String.format(
            Locale.ROOT,
            "  acknowledged %,d  compared %,d",
            s.acknowledgedRecords(),
            s.checkedRecords());
  }

  private static String moves(TierMoves moves) {
    return String.format(
        Locale.ROOT,
        "migrated %s down, %s up%s  overflow %s",
        Units.bytes(moves.downBytes()),
        Units.bytes(moves.upBytes()),
        moves.running() ? " (moving)" : "",
        Units.count(moves.overflowSegments(), "segment"));
  }

  /** With a mark at one of its bytes, if that isn't negative. */
  private static String bar(long part, long whole, long mark) {
    int full = cells(part, whole);
    StringBuilder bar = new StringBuilder("[");
    bar.append("#".repeat(full)).append("-".repeat(BAR_CELLS - full)).append(']');
    if (mark >= 0) {
      bar.insert(1 + cells(mark, whole), '|');
    } else {
      bar.append(' ');
    }
    return bar.toString();
  }

  private static int cells(long part, long whole) {
    return whole <= 0
        ? 0
        : (int) Math.min(BAR_CELLS, Math.round((double) BAR_CELLS * part / whole));
  }
}
