// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.RigSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The document that {@code headpond-lab run bookkeeper --json} writes.
 *
 * @param javaVersion of bookies and clients
 * @param processors of the machine; the clients share them
 * @param fastTierVolatile whether a power cut would have taken the fast device's journals
 * @param journals where each variant's journal lay, in words
 * @param starts how often all bookies and clients were started afresh
 * @param rounds after each start
 * @param turns every turn, in the order measured
 * @param comparisons by load and metric
 */
record BookKeeperBenchResult(
    String bookkeeperVersion,
    int javaVersion,
    int processors,
    boolean fastTierVolatile,
    Map<String, String> journals,
    int starts,
    int rounds,
    double secondsPerTurn,
    List<BookKeeperTurn> turns,
    List<Row> comparisons) {

  /** A comparison under the names that this document has. */
  record Row(
      BookKeeperTurn.Load point,
      String metric,
      String unit,
      boolean moreIsBetter,
      JournalVariant variant,
      Spread value,
      Spread headpondRatio) {

    static Row of(Comparison<BookKeeperTurn.Load, JournalVariant> c) {
      return new Row(
          c.load(),
          c.metric(),
          c.unit(),
          c.moreIsBetter(),
          c.variant(),
          c.value(),
          c.headpondRatio());
    }
  }

  /** The labels of turns that mean nothing; none if they do. */
  static List<Label> labels(List<BookKeeperTurn> turns) {
    long failures = turns.stream().mapToLong(BookKeeperTurn::failures).sum();
    return failures == 0
        ? List.of()
        : List.of(new Label("NOT VALID", Units.count(failures, "add") + " failed"));
  }

  /** The whole measurement, with this document as its details. */
  static Measurement of(
      BookKeeperPlan plan,
      RigSettings place,
      boolean fastVolatile,
      List<BookKeeperTurn> turns,
      List<Comparison<BookKeeperTurn.Load, JournalVariant>> comparisons)
      throws IOException {
    return new Measurement(
        Map.of(
            "bookkeeper", place.release().version(), "bookie's Java", "" + place.java().feature()),
        Figure.of(comparisons, BookKeeperTurn.METRICS, BookKeeperBenchTable::text),
        Map.of(),
        turns.stream().mapToDouble(BookKeeperTurn::otherCpuShare).max().orElse(0),
        new BookKeeperBenchResult(
            place.release().version(),
            place.java().feature(),
            Runtime.getRuntime().availableProcessors(),
            fastVolatile,
            new TreeMap<>(JournalVariant.places(plan.variants(), place.fast(), place.home())),
            plan.starts(),
            plan.rounds(),
            plan.seconds(),
            turns,
            comparisons.stream().map(Row::of).toList()),
        labels(turns));
  }
}
