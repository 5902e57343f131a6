// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The effect of a backlog that is read on one variant's latency, to the acknowledgement and to the
 * arrival at consumers that wait for what is sent: a turn beside it, and the same round's turn at
 * the same pace without it.
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
          publish("growth_p50", "publish P50", 50),
          publish("growth_p99", "publish P99", 99),
          publish("growth_p999", "publish P99.9", 99.9),
          publish("growth_max", "publish max", 100),
          endToEnd("growth_tail_p50", "end to end P50", 50),
          endToEnd("growth_tail_p99", "end to end P99", 99),
          endToEnd("growth_tail_p999", "end to end P99.9", 99.9));

  private static Metric<IsolationTurn> publish(String key, String title, double percentile) {
    return growth(key, title, figures -> figures.publishUs(percentile));
  }

  private static Metric<IsolationTurn> endToEnd(String key, String title, double percentile) {
    return growth(key, title, figures -> figures.endToEndUs(percentile));
  }

  private static Metric<IsolationTurn> growth(
      String key, String title, ToDoubleFunction<PointFigures> us) {
    return new Metric<>(
        key,
        title + ", backlog read / quiet",
        "times",
        false,
        turn -> us.applyAsDouble(turn.replay()) / us.applyAsDouble(turn.quiet()));
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
