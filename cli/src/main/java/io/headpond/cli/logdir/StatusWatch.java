// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/** The repeated view of the owner's counters, until Ctrl-C. */
final class StatusWatch {
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Set by the launcher script if standard output is a terminal. */
  private static final String TERMINAL_PROPERTY = "headpond.terminal.out";

  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  private final StatusReport report;
  private final PrintWriter out;
  private final boolean json;

  StatusWatch(StatusReport report, PrintWriter out, boolean json) {
    this.report = report;
    this.out = out;
    this.json = json;
  }

  /** Looks {@code count} times; Ctrl-C ends the process with exit code 0. */
  void run(Duration interval, long count) throws IOException, InterruptedException {
    // A watch has no other end, so its end isn't an error: without this it would be 130.
    Thread ended = new Thread(() -> Runtime.getRuntime().halt(0), "headpond-watch-ended");
    Runtime.getRuntime().addShutdownHook(ended);
    try {
      long next = System.nanoTime();
      for (long done = 1; done <= count; done++) {
        show(report.live());
        next += interval.toNanos();
        long waitMs = Math.max(0, (next - System.nanoTime()) / 1_000_000);
        if (done < count) {
          Thread.sleep(waitMs);
        }
      }
    } finally {
      removeUnlessEnding(ended);
    }
  }

  /** Takes a hook of the JVM's end back, unless that has begun. */
  static void removeUnlessEnding(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endingAlready) {
      return; // it has run, or is about to
    }
  }

  private void show(StatusReport.ResultJson look) {
    if (json) {
      Json.line(out, look);
    } else {
      out.print(Boolean.getBoolean(TERMINAL_PROPERTY) ? CLEAR_SCREEN : "");
      new StatusText(out).live(look);
    }
  }
}
