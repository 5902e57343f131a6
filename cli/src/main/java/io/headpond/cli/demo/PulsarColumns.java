// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.pulsar.PulsarFigures;
import java.util.List;
import java.util.Locale;

/** The columns that the demo of Pulsar shows for both sides. */
final class PulsarColumns implements JournalColumns<PulsarSide> {

  private static final int BAR_CELLS = 10;

  @Override
  public String format() {
    return "  %-15s %-30s %-30s";
  }

  @Override
  public List<Row<PulsarSide>> rows(PulsarSide disk, PulsarSide fast) {
    long backlogs = Math.max(disk.backlogMax(), fast.backlogMax());
    return List.of(
        new Row<>("now", side -> now(side.seen().bytesPerSecond())),
        new Row<>("latency P50", side -> Units.milliseconds(side.seen().latencyMs(50))),
        new Row<>("latency P99", side -> Units.milliseconds(side.seen().latencyMs(99))),
        new Row<>("acknowledged", side -> count(side.figures().acknowledged())),
        new Row<>("stream got", side -> count(side.figures().streamMessages())),
        new Row<>("queue got", side -> count(side.figures().queueMessages())),
        new Row<>("queue's backlog", side -> backlog(side.figures().queueMissing(), backlogs)),
        new Row<>("compared", side -> count(side.figures().read())));
  }

  @Override
  public String line(PulsarSide side) {
    PulsarFigures f = side.figures();
    return String.format(
        Locale.ROOT,
        "P50 %s  P99 %s  acknowledged %,d  stream %,d  queue %,d  compared %,d",
        Units.milliseconds(side.seen().latencyMs(50)),
        Units.milliseconds(side.seen().latencyMs(99)),
        f.acknowledged(),
        f.streamMessages(),
        f.queueMessages(),
        f.read());
  }

  private static String now(long bytesPerSecond) {
    return bytesPerSecond == 0 ? "-" : Units.rate(bytesPerSecond);
  }

  private static String count(long messages) {
    return Units.count(messages, "message");
  }

  /** With a bar, as long as its share of the largest that either side had. */
  private static String backlog(long messages, long largest) {
    int full =
        largest <= 0
            ? 0
            : (int) Math.min(BAR_CELLS, (BAR_CELLS * messages + largest - 1) / largest);
    return "[" + "#".repeat(full) + "-".repeat(BAR_CELLS - full) + "] " + count(messages);
  }
}
