// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.lab.comparison.Curve;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The curves of the last round. */
public final class FailureCurves {

  private FailureCurves() {}

  /** The curves of the last round's turns. */
  public static List<Curve> of(FailureSettings settings, List<FailureTurn> turns) {
    List<FailureTurn> last = turns.stream().filter(t -> t.round() == settings.rounds()).toList();
    String seconds =
        String.format(
            Locale.ROOT,
            "seconds; a %s dies at %d and is started at %d",
            settings.engine().node(),
            settings.beforeSeconds(),
            settings.beforeSeconds() + settings.deadSeconds());
    return List.of(
        curve("Publish P99", seconds, "ms", last, s -> s.p99Us() / 1e3),
        curve("Acknowledged", seconds, "messages/s", last, FailureSample::perSecond));
  }

  private static Curve curve(
      String title,
      String x,
      String y,
      List<FailureTurn> turns,
      ToDoubleFunction<FailureSample> value) {
    List<Curve.Line> lines =
        turns.stream()
            .map(t -> Curve.Line.of(t.variant().key(), t.samples(), FailureSample::at, value))
            .toList();
    return new Curve(title, x, y, false, lines);
  }
}
