// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the demo of BookKeeper shows while it runs: both sides beside each other. */
final class BookKeeperView {

  private static final String ROW = "  %-14s %-28s %-28s";

  private final LiveBlock screen;
  private final String diskLabel;
  private final String fastLabel;
  private final long startNanos = System.nanoTime();
  private String phase = "";

  /**
   * @param diskLabel file system of the one journal
   * @param fastLabel what to call the other one's device, as {@code VOLATILE}
   */
  BookKeeperView(LiveBlock screen, String diskLabel, String fastLabel) {
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
  synchronized void show(BookKeeperSide disk, BookKeeperSide fast) {
    screen.show(() -> block(disk, fast), () -> line(disk, fast));
  }

  private List<String> block(BookKeeperSide disk, BookKeeperSide fast) {
    return List.of(
        String.format("  %-8s %s", elapsed(), phase),
        String.format(ROW, "", "JOURNAL ON DISK", "JOURNAL ON FAST DEVICE").stripTrailing(),
        String.format(ROW, "", "as it comes, " + diskLabel, "Headpond, " + fastLabel)
            .stripTrailing(),
        row("now", disk, fast, side -> now(side.bytesPerSecond())),
        row("in its turns", disk, fast, side -> mbPerS(side.mbPerS())),
        row("latency P50", disk, fast, side -> ms(side.latencyMs(50))),
        row("latency P99", disk, fast, side -> ms(side.latencyMs(99))),
        row("acknowledged", disk, fast, side -> entries(side.acknowledged())));
  }

  private static String row(
      String name,
      BookKeeperSide disk,
      BookKeeperSide fast,
      Function<BookKeeperSide, String> value) {
    return String.format(ROW, name, value.apply(disk), value.apply(fast)).stripTrailing();
  }

  private String line(BookKeeperSide disk, BookKeeperSide fast) {
    return String.format(
        "%-8s %s; journal on disk: %s; on fast device (%s): %s",
        elapsed(), phase, side(disk), fastLabel, side(fast));
  }

  private static String side(BookKeeperSide side) {
    return String.format(
        "%s  P50 %s  P99 %s  acknowledged %s",
        mbPerS(side.mbPerS()),
        ms(side.latencyMs(50)),
        ms(side.latencyMs(99)),
        entries(side.acknowledged()));
  }

  private String elapsed() {
    return Units.duration(Duration.ofNanos(System.nanoTime() - startNanos));
  }

  private static String now(long bytesPerSecond) {
    return bytesPerSecond == 0 ? "its turn is over" : mbPerS(bytesPerSecond / 1e6);
  }

  private static String entries(long number) {
    return Units.count(number, "entry", "entries");
  }

  static String mbPerS(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f MB/s", value);
  }

  static String ms(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f ms", value);
  }
}
