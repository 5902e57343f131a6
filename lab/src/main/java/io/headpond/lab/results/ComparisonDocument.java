// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.results.Change.Verdict;
import java.util.List;
import java.util.Locale;

/**
 * The JSON of {@code headpond-lab compare}.
 *
 * @param better figures that decide and got better; {@code worse} likewise
 * @param unmatched figures that only one of the two has
 */
record ComparisonDocument(
    String schema,
    String bench,
    Side a,
    Side b,
    List<String> differences,
    int better,
    int worse,
    int unmatched,
    List<Row> figures) {

  /** One of the two results. */
  record Side(String headpond, String started, String command, List<Label> labels) {
    static Side of(BenchResult result) {
      return new Side(result.headpond(), result.started(), result.command(), result.labels());
    }
  }

  /**
   * One figure.
   *
   * @param ratioTo the baseline that it is divided by; null: the value itself
   * @param roundsA values that {@code a} is the spread of; {@code roundsB} likewise
   * @param bToA median of B divided by that of A
   */
  record Row(
      String load,
      String metric,
      String unit,
      boolean moreIsBetter,
      String variant,
      String ratioTo,
      boolean decides,
      Spread a,
      int roundsA,
      Spread b,
      int roundsB,
      double bToA,
      double p,
      String verdict) {
    static Row of(Change change) {
      Series a = change.a();
      return new Row(
          a.figure().load(),
          a.figure().metric(),
          a.unit(),
          a.figure().moreIsBetter(),
          a.figure().variant(),
          a.baseline() == null ? null : a.baseline().variant(),
          a.decides(),
          a.spread(),
          a.values().length,
          change.b().spread(),
          change.b().values().length,
          change.times(),
          change.p(),
          change.verdict().name().toLowerCase(Locale.ROOT));
    }
  }

  static ComparisonDocument of(ResultComparison comparison) {
    return new ComparisonDocument(
        "headpond-bench-compare/1",
        comparison.a().bench(),
        Side.of(comparison.a()),
        Side.of(comparison.b()),
        comparison.differences(),
        comparison.count(Verdict.BETTER),
        comparison.count(Verdict.WORSE),
        comparison.unmatched(),
        comparison.changes().stream().map(Row::of).toList());
  }
}
