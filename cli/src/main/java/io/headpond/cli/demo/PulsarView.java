// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.pulsar.PulsarFigures;
import io.headpond.cli.console.Units;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the demo of Pulsar shows while it runs: both sides beside each other. */
final class PulsarView {

  private static final int BAR_CELLS = 10;
  private static final String ROW = "  %-15s %-30s %-30s";

  private final LiveBlock screen;
  private final String diskLabel;
  private final String fastLabel;
  private final long startNanos = System.nanoTime();
  private String phase = "";

  /**
   * @param diskLabel file system of the one journal
   * @param fastLabel what to call the other one's device, as {@code VOLATILE}
   */
  PulsarView(LiveBlock screen, String diskLabel, String fastLabel) {
    this.screen = screen;
    this.diskLabel = diskLabel;
    this.fastLabel = fastLabel;
  }

  /** Names what happens from now on. */
  synchronized void phase(String text) {
    phase = text;
  }

  /** A line that stays. */
  synchronized void say(String line) {
    screen.say(line);
  }

  /** Replaces what is shown. */
  synchronized void show(PulsarSide disk, PulsarSide fast) {
    screen.show(() -> block(disk, fast), () -> line(disk, fast));
  }

  private List<String> block(PulsarSide disk, PulsarSide fast) {
    long backlogs = Math.max(disk.backlogMax(), fast.backlogMax());
    return List.of(
        String.format("  %-8s %s", elapsed(), phase),
        String.format(ROW, "", "JOURNAL ON DISK", "JOURNAL ON FAST DEVICE").stripTrailing(),
        String.format(ROW, "", "as it comes, " + diskLabel, "Headpond, " + fastLabel)
            .stripTrailing(),
        row("now", disk, fast, side -> now(side.bytesPerSecond())),
        row("latency P50", disk, fast, side -> ms(side.latencyMs(50))),
        row("latency P99", disk, fast, side -> ms(side.latencyMs(99))),
        row("acknowledged", disk, fast, side -> count(side.figures().acknowledged())),
        row("stream got", disk, fast, side -> count(side.figures().streamMessages())),
        row("queue got", disk, fast, side -> count(side.figures().queueMessages())),
        row(
            "queue's backlog",
            disk,
            fast,
            side ->
                bar(side.figures().queueMissing(), backlogs)
                    + " "
                    + count(side.figures().queueMissing())),
        row("compared", disk, fast, side -> count(side.figures().read())));
  }

  private static String row(
      String name, PulsarSide disk, PulsarSide fast, Function<PulsarSide, String> value) {
    return String.format(ROW, name, value.apply(disk), value.apply(fast)).stripTrailing();
  }

  private String line(PulsarSide disk, PulsarSide fast) {
    return String.format(
        "%-8s %s; journal on disk: %s; on fast device (%s): %s",
        elapsed(), phase, side(disk), fastLabel, side(fast));
  }

  private static String side(PulsarSide side) {
    PulsarFigures f = side.figures();
    return String.format(
        Locale.ROOT,
        "P50 %s  P99 %s  acknowledged %,d  stream %,d  queue %,d  compared %,d",
        ms(side.latencyMs(50)),
        ms(side.latencyMs(99)),
        f.acknowledged(),
        f.streamMessages(),
        f.queueMessages(),
        f.read());
  }

  private static String now(long bytesPerSecond) {
    return bytesPerSecond == 0 ? "-" : mbPerS(bytesPerSecond / 1e6);
  }

  private String elapsed() {
    return Units.duration(Duration.ofNanos(System.nanoTime() - startNanos));
  }

  private static String count(long messages) {
    return Units.count(messages, "message");
  }

  private static String bar(long part, long whole) {
    int full = whole <= 0 ? 0 : (int) Math.min(BAR_CELLS, (BAR_CELLS * part + whole - 1) / whole);
    return "[" + "#".repeat(full) + "-".repeat(BAR_CELLS - full) + "]";
  }

  static String mbPerS(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f MB/s", value);
  }

  static String ms(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f ms", value);
  }
}
