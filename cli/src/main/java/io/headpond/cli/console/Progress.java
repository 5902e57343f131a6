// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.store.event.PlainText;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * A line on stderr that is overwritten as the work goes on. Where stderr is no terminal, nothing is
 * written. One thread.
 */
public final class Progress implements AutoCloseable {
  /** Set by the launcher script if stderr is a terminal, which Java can't tell. */
  public static final String TERMINAL_PROPERTY = "headpond.terminal.err";

  private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();
  private static final int WIDTH = 100;
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean terminal;
  private boolean shown;
  private long shownAtNanos;

  /** Shows progress on {@code err} if that is a terminal. */
  public Progress(PrintWriter err) {
    this(err, Boolean.getBoolean(TERMINAL_PROPERTY));
  }

  Progress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  /** Replaces the line; at most ten times a second. */
  public void show(String what) {
    String text = PlainText.of(what);
    long now = System.nanoTime();
    if (!terminal || (shown && now - shownAtNanos < INTERVAL_NANOS)) {
      return;
    }
    shown = true;
    shownAtNanos = now;
    err.print(CLEAR + (text.length() > WIDTH ? text.substring(0, WIDTH - 1) + "…" : text));
    err.flush();
  }

  @Override
  public void close() {
    clear();
  }

  /** Takes the line away, for other output. */
  public void clear() {
    if (shown) {
      err.print(CLEAR);
      err.flush();
      shown = false;
    }
  }
}
