// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.Metric;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures by which variants are compared under a {@link Point}. */
public final class PointMetrics {

  /**
   * In the order of a table. Those of latency are only of points with a pace: at full speed a
   * message waits in its sender for as long as that has room.
   */
  public static final List<Metric<PointTurn>> ALL =
      List.of(
          new Metric<>("messages", "throughput", "messages/s", true, sent(f -> f.perSecond())),
          new Metric<>("bytes", "throughput", "MB/s", true, sent(f -> f.bytesPerSecond() / 1e6)),
          less("latency_p50", "publish P50", "ms", paced(f -> f.publishUs(50) / 1e3)),
          less("latency_p99", "publish P99", "ms", paced(f -> f.publishUs(99) / 1e3)),
          less("latency_p999", "publish P99.9", "ms", paced(f -> f.publishUs(99.9) / 1e3)),
          less("latency_max", "publish max", "ms", paced(f -> f.publishUs(100) / 1e3)),
          less("end_to_end_p50", "end to end P50", "ms", paced(f -> f.endToEndUs(50) / 1e3)),
          less("end_to_end_p99", "end to end P99", "ms", paced(f -> f.endToEndUs(99) / 1e3)),
          new Metric<>("replay", "backlog read", "MB/s", true, PointMetrics::replayed),
          tight("tier_appends", "appended in the fast tier", "%", t -> 100 * t.appendedShare()),
          tight("tier_reads", "read from the fast tier", "%", t -> 100 * t.readShare()),
          tight("migrated", "migrated", "MB/s", t -> t.migratedPerSecond() / 1e6),
          less("overflow", "overflowed", "segments", PointMetrics::overflowed),
          less("engine_cpu", "engine CPU", "µs/message", sent(f -> engineMicros(f))),
          less("load_generator_cpu", "load generator's share of CPU", "%", t -> share(t)));

  private PointMetrics() {}

  private static Metric<PointTurn> less(
      String key, String title, String unit, ToDoubleFunction<PointTurn> value) {
    return new Metric<>(key, title, unit, false, value);
  }

  private static ToDoubleFunction<PointTurn> sent(ToDoubleFunction<PointFigures> value) {
    return turn -> turn.point().producers() == 0 ? Double.NaN : value.applyAsDouble(turn.figures());
  }

  private static ToDoubleFunction<PointTurn> paced(ToDoubleFunction<PointFigures> value) {
    return turn ->
        turn.point().pace().fullSpeed() ? Double.NaN : value.applyAsDouble(turn.figures());
  }

  private static Metric<PointTurn> tight(
      String key, String title, String unit, ToDoubleFunction<TierFigures> value) {
    return new Metric<>(
        key,
        title,
        unit,
        true,
        turn ->
            turn.figures().tier() == null
                ? Double.NaN
                : value.applyAsDouble(turn.figures().tier()));
  }

  private static double overflowed(PointTurn turn) {
    return turn.figures().tier() == null ? Double.NaN : turn.figures().overflowSegments();
  }

  private static double replayed(PointTurn turn) {
    return turn.point().backlogBytes() == 0 ? Double.NaN : turn.figures().replayedPerSecond() / 1e6;
  }

  private static double engineMicros(PointFigures figures) {
    return figures.cpu().engineMicrosPer(figures.perSecond() * figures.seconds());
  }

  private static double share(PointTurn turn) {
    return 100 * turn.figures().loadGeneratorShare();
  }
}
