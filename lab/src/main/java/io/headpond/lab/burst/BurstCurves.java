// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.lab.comparison.Curve;
import io.headpond.lab.kafka.variant.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The curves of the last round: what was acknowledged, the latency, the tier and its migrations.
 */
public final class BurstCurves {

  private static final double MIB = 1 << 20;

  private BurstCurves() {}

  /** The curves of the last round's turns. */
  public static List<Curve> of(BurstSettings settings, List<BurstTurn> turns) {
    List<BurstTurn> last = turns.stream().filter(t -> t.round() == settings.rounds()).toList();
    List<BurstTurn> headpond = last.stream().filter(t -> t.variant() == Variant.HEADPOND).toList();
    String seconds = "seconds from the first burst's beginning";
    return List.of(
        curve("Throughput", seconds, "MB/s", lines(last, s -> s.bytesPerSecond() / 1e6)),
        curve("Publish P99", seconds, "ms", lines(last, s -> s.p99Us() / 1e3)),
        curve("Fill of the tier", seconds, "MiB", fill(settings, headpond)),
        curve("Migrated", seconds, "MiB", lines(headpond, s -> s.migratedBytes() / MIB)));
  }

  private static Curve curve(String title, String x, String y, List<Curve.Line> lines) {
    return new Curve(title, x, y, false, lines);
  }

  private static List<Curve.Line> fill(BurstSettings settings, List<BurstTurn> headpond) {
    List<Curve.Line> lines = new ArrayList<>(lines(headpond, s -> s.tierUsedBytes() / MIB));
    List<TierForecast.Point> points = settings.forecast().points();
    lines.add(Curve.Line.of("predicted", points, TierForecast.Point::at, p -> p.bytes() / MIB));
    return lines;
  }

  private static List<Curve.Line> lines(
      List<BurstTurn> turns, ToDoubleFunction<BurstSample> value) {
    return turns.stream()
        .map(t -> Curve.Line.of(t.variant().key(), t.samples(), BurstSample::at, value))
        .toList();
  }
}
