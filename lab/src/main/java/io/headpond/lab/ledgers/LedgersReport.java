// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.ledgers;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.comparison.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of a {@link LedgersBench}.
 *
 * @param bookkeeper the release
 * @param fast the fast device and what a power cut does to it
 * @param home the slow one
 * @param backlogBytes what was replayed in each slice
 * @param publishedBytesPerSecond what was published meanwhile
 * @param onePlace all entry logs in the ledger directory
 * @param twoPlaces new entry logs on the fast device, the backlog in the ledger directory
 * @param p99Ratio {@link Spread#ofRatios} during a replay, two places to one; null: none
 */
public record LedgersReport(
    String bookkeeper,
    String fast,
    String home,
    long backlogBytes,
    long publishedBytesPerSecond,
    Place onePlace,
    Place twoPlaces,
    Spread p99Ratio)
    implements Report {

  /**
   * One bookie.
   *
   * @param p99Micros of an add, nothing being replayed
   * @param p99MicrosDuringReplay of an add, the backlog being replayed
   * @param p99Ratio {@link Spread#ofRatios} of the second to the first; null: none
   * @param replayedBytesPerSecond of the replay
   */
  public record Place(
      Spread p99Micros,
      Spread p99MicrosDuringReplay,
      Spread p99Ratio,
      Spread replayedBytesPerSecond) {}

  private static final Figure.Kind ADD_P99 = new Figure.Kind("add_p99", "add P99", "µs", false);
  private static final Figure.Kind REPLAYED = new Figure.Kind("replayed", "replayed", "MB/s", true);

  @Override
  public Map<String, String> versions() {
    return Map.of("bookkeeper", bookkeeper);
  }

  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    add(figures, twoPlaces, "new logs on the fast device", "logs in one place");
    add(figures, onePlace, "logs in one place");
    return figures;
  }

  private static void add(List<Figure> to, Place place, String variant, String... baselines) {
    to.add(ADD_P99.of("during a replay", variant, place.p99MicrosDuringReplay, baselines));
    to.add(
        REPLAYED.of("during a replay", variant, place.replayedBytesPerSecond.in(1e6), baselines));
    to.add(ADD_P99.of("without a replay", variant, place.p99Micros, baselines));
  }

  @Override
  public String table() {
    TextTable text = new TextTable().left("").left("");
    text.row("BookKeeper", bookkeeper);
    text.row("fast device", fast);
    text.row("ledger directory", home);
    text.row("backlog, MiB", Long.toString(backlogBytes >> 20));
    text.row("published, MiB/s", Long.toString(publishedBytesPerSecond >> 20));
    place(text, "logs in one place", onePlace);
    place(text, "new logs on the fast device", twoPlaces);
    text.row("P99 during replay, fast / one place", Spread.ratioText(p99Ratio, 2));
    return text.text();
  }

  private static void place(TextTable text, String name, Place place) {
    text.row(name + ":");
    text.row("  add P99, µs", place.p99Micros.text(0));
    text.row("  add P99 during replay, µs", place.p99MicrosDuringReplay.text(0));
    text.row("  during replay / otherwise", Spread.ratioText(place.p99Ratio, 2));
    text.row("  replayed, MB/s", place.replayedBytesPerSecond.in(1e6).text(0));
  }
}
