// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The highest throughput of one variant, in one round of several rates, with a P99 that is no more
 * than the lowest of a baseline's in that round.
 *
 * @param load of the sweep, with the baseline's name
 * @param round from 1 on
 * @param bytesPerSecond 0: none of the rates kept that P99
 * @param lowestUs the baseline's lowest P99, microseconds
 */
public record LowestLatencyTurn(
    String load, int round, ComparedVariant variant, double bytesPerSecond, double lowestUs)
    implements RoundFigures<String, ComparedVariant> {

  /** The throughput, and the limit that it is for. */
  public static final List<Metric<LowestLatencyTurn>> METRICS =
      List.of(
          new Metric<>(
              "lowest_p99_bytes", "throughput", "MB/s", true, t -> t.bytesPerSecond() / 1e6),
          new Metric<>(
              "lowest_p99",
              "the baseline's lowest P99",
              "ms",
              false,
              t -> t.variant().ordinal() == 0 ? Double.NaN : t.lowestUs() / 1e3));

  /** Those of all sweeps in {@code points}, against each baseline. */
  static List<LowestLatencyTurn> of(List<PointTurn> points) {
    List<LowestLatencyTurn> all = new ArrayList<>();
    for (Map.Entry<String, List<PointTurn>> sweep : sweeps(points).entrySet()) {
      List<PointTurn> turns = sweep.getValue();
      for (ComparedVariant baseline :
          turns.stream()
              .map(PointTurn::variant)
              .distinct()
              .filter(v -> v.ordinal() != 0)
              .toList()) {
        turns.stream()
            .map(PointTurn::round)
            .distinct()
            .forEach(round -> add(all, sweep.getKey(), turns, baseline, round));
      }
    }
    return all;
  }

  private static void add(
      List<LowestLatencyTurn> all,
      String sweep,
      List<PointTurn> turns,
      ComparedVariant baseline,
      int round) {
    List<PointTurn> theirs = of(turns, round, baseline.ordinal(), baseline.getClass());
    List<PointTurn> ours = of(turns, round, 0, baseline.getClass());
    if (theirs.isEmpty() || ours.isEmpty()) {
      return;
    }
    double lowest = theirs.stream().mapToDouble(t -> t.figures().publishUs(99)).min().orElseThrow();
    String load = sweep + ", at the lowest P99 of " + baseline.key();
    for (List<PointTurn> side : List.of(ours, theirs)) {
      double best =
          side.stream()
              .filter(t -> t.figures().publishUs(99) <= lowest)
              .mapToDouble(t -> t.figures().bytesPerSecond())
              .max()
              .orElse(0);
      all.add(new LowestLatencyTurn(load, round, side.get(0).variant(), best, lowest));
    }
  }

  private static List<PointTurn> of(
      List<PointTurn> turns, int round, int ordinal, Class<?> engine) {
    return turns.stream()
        .filter(t -> t.round() == round && t.variant().ordinal() == ordinal)
        .filter(t -> t.variant().getClass() == engine && t.figures().achieved(t.point()))
        .filter(t -> t.figures().publish().getTotalCount() > 0)
        .toList();
  }

  /**
   * Turns at a pace by message size and kind of load, where there are several rates.
   *
   * @return in the order measured
   */
  static Map<String, List<PointTurn>> sweeps(List<PointTurn> points) {
    Map<String, List<PointTurn>> sweeps = new LinkedHashMap<>();
    for (PointTurn turn : points) {
      if (!turn.point().pace().fullSpeed() && turn.point().producers() > 0) {
        String rate = turn.point().text();
        String kind = turn.load().startsWith(rate) ? turn.load().substring(rate.length()) : "";
        sweeps
            .computeIfAbsent(
                Point.size(turn.point().messageBytes()) + " messages" + kind,
                load -> new ArrayList<>())
            .add(turn);
      }
    }
    sweeps
        .values()
        .removeIf(turns -> turns.stream().map(t -> t.point().pace()).distinct().count() < 2);
    return sweeps;
  }
}
