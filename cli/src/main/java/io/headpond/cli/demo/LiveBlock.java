// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The changing part of a demo's screen: a block that is drawn over on a terminal, one line at a
 * time elsewhere. One thread at a time.
 */
final class LiveBlock {

  /** Set by the launcher script if standard output is a terminal. */
  private static final String TERMINAL_PROPERTY = "headpond.terminal.out";

  /** The terminal's width, also from there. */
  private static final String COLUMNS_PROPERTY = "headpond.terminal.columns";

  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(2);
  private static final String LINE_UP = "\u001b[1A\u001b[K";

  private final PrintWriter out;
  private final boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY);
  private final int columns = Integer.getInteger(COLUMNS_PROPERTY, Integer.MAX_VALUE);
  private int drawnRows;
  private long plainNanos;

  LiveBlock(PrintWriter out) {
    this.out = out;
  }

  /** A line that stays, above the block. */
  void say(String line) {
    erase();
    out.println(line);
    out.flush();
  }

  /** Draws the block anew, or now and then prints the line. */
  void show(Supplier<List<String>> block, Supplier<String> line) {
    if (terminal) {
      List<String> lines = block.get();
      erase();
      lines.forEach(out::println);
      drawnRows = lines.stream().mapToInt(this::rows).sum();
      out.flush();
    } else if (System.nanoTime() - plainNanos >= PLAIN_INTERVAL.toNanos()) {
      plainNanos = System.nanoTime();
      out.println(line.get());
      out.flush();
    }
  }

  /** Takes the block away. */
  void clear() {
    erase();
    out.flush();
  }

  /** A line that is longer than the terminal is wide goes on in the next row. */
  private int rows(String text) {
    return Math.max(1, (text.length() - 1) / columns + 1);
  }

  private void erase() {
    for (; drawnRows > 0; drawnRows--) {
      out.print(LINE_UP);
    }
  }
}
