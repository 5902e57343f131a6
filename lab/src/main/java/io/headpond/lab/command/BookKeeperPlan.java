// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.lab.bookkeeper.rig.BookieRigs;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointTurn;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.ScenarioListener;
import io.headpond.lab.scenario.SearchTurn;
import io.headpond.lab.scenario.Starts;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The measurement of {@code headpond-lab run bookkeeper}.
 *
 * @param variants Headpond's, then its baselines
 * @param points loads, each with a window
 * @param journals directories of each bookie's journal, all on one device
 * @param tuned settings of the bookie {@link JournalVariant#HEADPOND_TUNED}
 * @param starts how often all bookies and clients are started afresh
 * @param rounds turns of each variant under each load and start
 * @param seconds measured length of a turn
 * @param warmUpSeconds at the largest window before the first turn of each variant after a start
 */
record BookKeeperPlan(
    List<JournalVariant> variants,
    List<Point> points,
    int journals,
    Map<String, String> tuned,
    int starts,
    int rounds,
    double seconds,
    double warmUpSeconds) {

  /** A new ledger, and the first adds, don't count. */
  private static final double RAMP_SECONDS = 0.4;

  /** Checks what would fail in the middle. */
  BookKeeperPlan {
    variants = List.copyOf(variants);
    points = List.copyOf(points);
    tuned = Map.copyOf(tuned);
    if (journals < 1 || journals > 16) {
      throw new IllegalArgumentException("a bookie has 1 to 16 journals, not " + journals);
    }
    if (tuned.isEmpty() == variants.contains(JournalVariant.HEADPOND_TUNED)) {
      throw new IllegalArgumentException(
          "--set names settings of the variant headpond-tuned: give both, or neither");
    }
    if (variants.lastIndexOf(JournalVariant.HEADPOND) > 0) {
      throw new IllegalArgumentException("headpond is what the others are compared with");
    }
    if (starts < 1 || starts > 100) {
      throw new IllegalArgumentException("bookies are started 1 to 100 times, not " + starts);
    }
    if (rounds < 1 || rounds > 1000 || !(seconds >= 0.1 && seconds <= 600)) {
      throw new IllegalArgumentException("1 to 1000 rounds of 0.1 s to 600 s are measured");
    }
  }

  /** The load of entries of a size, so many adds under way. */
  static Point point(int entryBytes, int window, double seconds) {
    return Point.adds(entryBytes, window, RAMP_SECONDS, seconds);
  }

  /**
   * Measures it. An add that fails, also since its bookie has ended, is counted and no error.
   *
   * @param listener gets each turn
   */
  void run(Starts all, RigSettings place, BenchListener<BookKeeperTurn> listener)
      throws IOException, InterruptedException {
    all.run(
        starts,
        start -> new BookieRigs(place, variants(start), journals, tuned, true, listener::progress),
        (start, rigs) -> measure(new Turns(rigs, "", new Screen(listener, start * rounds))));
  }

  /** The variants in the order of a start: another one begins each time. */
  List<JournalVariant> variants(int start) {
    List<JournalVariant> order = new ArrayList<>(variants);
    Collections.rotate(order, start);
    return order;
  }

  private void measure(Turns turns) throws IOException, InterruptedException {
    if (warmUpSeconds > 0) {
      Point largest = points.stream().max(Comparator.comparingInt(Point::window)).orElseThrow();
      turns.warmUp(largest, warmUpSeconds);
    }
    for (Point point : points) {
      turns.measure(point, rounds);
    }
  }

  /** Hands on the turns of one start. */
  private record Screen(BenchListener<BookKeeperTurn> all, int roundsBefore)
      implements ScenarioListener {

    @Override
    public void progress(String text) {
      all.progress(text);
    }

    @Override
    public void finished(PointTurn turn) {
      all.finished(BookKeeperTurn.of(turn, roundsBefore));
    }

    @Override
    public void found(SearchTurn turn) {
      throw new IllegalStateException("nothing is searched for");
    }
  }
}
