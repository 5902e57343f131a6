// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.time.Duration;

/** Looks again and again, until Ctrl-C; what {@code --watch} and {@code top} have in common. */
final class Watch {
  /** Set by the launcher script if standard output is a terminal. */
  private static final String TERMINAL_PROPERTY = "headpond.terminal.out";

  private static final String COLUMNS_PROPERTY = "headpond.terminal.columns";

  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  /** The shortest interval that a command accepts. */
  static final Duration INTERVAL_MIN = Duration.ofMillis(100);

  /** One look. */
  @FunctionalInterface
  interface Look {
    /** Looks, and shows what it saw. */
    void look() throws IOException;
  }

  private Watch() {}

  /** Looks {@code count} times; Ctrl-C ends the process with exit code 0. */
  static void repeat(Duration interval, long count, Look look)
      throws IOException, InterruptedException {
    // A watch has no other end, so its end isn't an error: without this it would be 130.
    Thread ended = new Thread(() -> Runtime.getRuntime().halt(0), "headpond-watch-ended");
    Runtime.getRuntime().addShutdownHook(ended);
    try {
      long next = System.nanoTime();
      for (long done = 1; done <= count; done++) {
        look.look();
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

  /** The width of a line of the terminal; unlimited elsewhere. */
  static int columns() {
    return Integer.getInteger(COLUMNS_PROPERTY, Integer.MAX_VALUE);
  }

  /** The characters that clear a terminal for the next look; none elsewhere. */
  static String clearScreen() {
    return Boolean.getBoolean(TERMINAL_PROPERTY) ? CLEAR_SCREEN : "";
  }
}
