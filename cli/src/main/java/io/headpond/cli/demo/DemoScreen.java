// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.PrintWriter;
import java.time.Duration;

/**
 * The output of a demo: lines that stay, and below them one that is overwritten on a terminal and
 * printed now and then elsewhere. One thread.
 */
final class DemoScreen {

  /** Set by the launcher script if standard output is a terminal. */
  private static final String TERMINAL_PROPERTY = "headpond.terminal.out";

  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(2);
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY);
  private boolean drawn;
  private String phase = "";
  private long plainNanos;

  DemoScreen(PrintWriter out) {
    this.out = out;
  }

  /** Prints a line that stays. */
  void say(String format, Object... values) {
    clear();
    out.printf(format + "%n", values);
    out.flush();
  }

  /** Replaces the line; where nothing is overwritten, the first one of each phase is printed. */
  void show(DemoProgress progress) {
    if (terminal) {
      out.print(CLEAR + progress.line());
      drawn = true;
    } else if (!phase.equals(progress.phase())
        || System.nanoTime() - plainNanos >= PLAIN_INTERVAL.toNanos()) {
      phase = progress.phase();
      plainNanos = System.nanoTime();
      out.println(progress.line());
    }
    out.flush();
  }

  private void clear() {
    if (drawn) {
      out.print(CLEAR);
      drawn = false;
    }
  }
}
