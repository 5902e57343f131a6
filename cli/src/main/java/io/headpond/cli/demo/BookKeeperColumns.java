// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import java.util.List;

/** The columns that the demo of BookKeeper shows for both sides. */
final class BookKeeperColumns implements JournalColumns<BookKeeperSide> {

  @Override
  public String format() {
    return "  %-14s %-28s %-28s";
  }

  @Override
  public List<Row<BookKeeperSide>> rows(BookKeeperSide disk, BookKeeperSide fast) {
    return List.of(
        new Row<>("now", side -> now(side.seen().bytesPerSecond())),
        new Row<>("in its turns", side -> Units.rate(side.seen().mbPerS() * 1e6)),
        new Row<>("latency P50", side -> Units.milliseconds(side.seen().latencyMs(50))),
        new Row<>("latency P99", side -> Units.milliseconds(side.seen().latencyMs(99))),
        new Row<>("acknowledged", side -> entries(side.acknowledged())));
  }

  @Override
  public String line(BookKeeperSide side) {
    return String.format(
        "%s  P50 %s  P99 %s  acknowledged %s",
        Units.rate(side.seen().mbPerS() * 1e6),
        Units.milliseconds(side.seen().latencyMs(50)),
        Units.milliseconds(side.seen().latencyMs(99)),
        entries(side.acknowledged()));
  }

  private static String now(long bytesPerSecond) {
    return bytesPerSecond == 0 ? "its turn is over" : Units.rate(bytesPerSecond);
  }

  private static String entries(long number) {
    return Units.count(number, "entry", "entries");
  }
}
