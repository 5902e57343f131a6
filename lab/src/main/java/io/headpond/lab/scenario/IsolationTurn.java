// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import java.util.List;

/**
 * The effect of a backlog that is read on one variant's publish latency: a turn beside it, and the
 * same round's turn at the same pace without it.
 *
 * @param load of the turn beside the backlog
 * @param round from 1 on
 */
public record IsolationTurn(
    String load, int round, ComparedVariant variant, PointFigures quiet, PointFigures replay)
    implements RoundFigures<String, ComparedVariant> {

  /** Latencies beside the backlog divided by those without it. */
  public static final List<Metric<IsolationTurn>> METRICS =
      List.of(
          growth("growth_p50", "publish P50, backlog read / quiet", 50),
          growth("growth_p99", "publish P99, backlog read / quiet", 99),
          growth("growth_p999", "publish P99.9, backlog read / quiet", 99.9),
          growth("growth_max", "publish max, backlog read / quiet", 100));

  private static Metric<IsolationTurn> growth(String key, String title, double percentile) {
    return new Metric<>(
        key,
        title,
        "times",
        false,
        turn -> turn.replay().publishUs(percentile) / turn.quiet().publishUs(percentile));
  }

  /** The turns that {@code points} make up, in their order. */
  static List<IsolationTurn> of(List<PointTurn> points) {
    return points.stream()
        .filter(turn -> turn.point().backlogBytes() > 0 && !turn.point().pace().fullSpeed())
        .flatMap(
            turn ->
                points.stream()
                    .filter(quiet -> quiet.variant() == turn.variant())
                    .filter(quiet -> quiet.round() == turn.round())
                    .filter(quiet -> quiet.point().equals(turn.point().beside(0)))
                    .limit(1)
                    .map(quiet -> turn(quiet, turn)))
        .toList();
  }

  private static IsolationTurn turn(PointTurn quiet, PointTurn replay) {
    return new IsolationTurn(
        replay.load(), replay.round(), replay.variant(), quiet.figures(), replay.figures());
  }
}
