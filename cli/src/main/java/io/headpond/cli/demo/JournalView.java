// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The live view of a {@link JournalDemo}: both sides beside each other. */
final class JournalView<S extends JournalSide> {

  private final LiveBlock screen;
  private final String diskLabel;
  private final String fastLabel;
  private final JournalColumns<S> columns;
  private final long startNanos = System.nanoTime();
  private String phase = "";

  JournalView(LiveBlock screen, DemoPlace place, JournalColumns<S> columns) throws IOException {
    this.screen = screen;
    this.diskLabel = place.homeFileSystem();
    this.fastLabel = place.fastLabel();
    this.columns = columns;
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
  synchronized void show(S disk, S fast) {
    screen.show(() -> block(disk, fast), () -> line(disk, fast));
  }

  private List<String> block(S disk, S fast) {
    List<String> lines = new ArrayList<>();
    lines.add(String.format("  %-8s %s", elapsed(), phase));
    lines.add(row("", "JOURNAL ON DISK", "JOURNAL ON FAST DEVICE"));
    lines.add(row("", "unmodified, " + diskLabel, "Headpond, " + fastLabel));
    for (JournalColumns.Row<S> each : columns.rows(disk, fast)) {
      lines.add(row(each.name(), each.value().apply(disk), each.value().apply(fast)));
    }
    return lines;
  }

  private String row(String name, String disk, String fast) {
    return String.format(columns.format(), name, disk, fast).stripTrailing();
  }

  private String line(S disk, S fast) {
    return String.format(
        "%-8s %s; journal on disk: %s; on fast device (%s): %s",
        elapsed(), phase, columns.line(disk), fastLabel, columns.line(fast));
  }

  private String elapsed() {
    return Units.duration(Duration.ofNanos(System.nanoTime() - startNanos));
  }
}
