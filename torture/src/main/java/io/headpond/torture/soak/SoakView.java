// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import java.io.PrintWriter;
import java.time.Duration;

/** Tells how a soak goes. One thread. */
final class SoakView {
  private final PrintWriter out;
  private final Progress progress;
  private final long startNanos = System.nanoTime();
  private final Duration length;

  SoakView(PrintWriter out, Progress progress, Duration length) {
    this.out = out;
    this.progress = progress;
    this.length = length;
  }

  /** Since it began. */
  Duration time() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  /** True if it is over. */
  boolean over() {
    return time().compareTo(length) >= 0;
  }

  /** A line that stays. */
  void line(String text) {
    progress.clear();
    out.printf("%s  %s%n", clock(), text);
    out.flush();
  }

  /** Shows the present step; called often. */
  void progress(String text) {
    progress.show(clock() + " of " + Units.duration(length) + ": " + text);
  }

  private String clock() {
    Duration time = time();
    return String.format(
        "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }
}
