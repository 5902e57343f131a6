// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.comparison.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The effect of a burst on Headpond's tier, beside the prediction; seconds, null where it doesn't
 * happen.
 *
 * @param round from 1 on
 * @param burst from 1 on
 * @param bytesPerSecond of the burst
 * @param absorbed from its beginning until the tier overflowed
 * @param recovered from its end until the tier was back at its threshold
 */
public record BurstOutcome(
    int round,
    int burst,
    double bytesPerSecond,
    double seconds,
    Double absorbed,
    Double absorbedPredicted,
    Double recovered,
    Double recoveredPredicted) {

  private static final Figure.Kind LENGTH =
      new Figure.Kind("burst_length", "burst until the tier overflows", "s", true);
  private static final Figure.Kind PAUSE =
      new Figure.Kind("burst_pause", "until the next burst may come", "s", false);

  /** The outcomes of all bursts of one turn of Headpond's. */
  public static List<BurstOutcome> of(BurstSettings settings, BurstTurn turn) {
    TierForecast forecast = settings.forecast();
    List<Burst> schedule = settings.schedule();
    List<BurstOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < schedule.size(); i++) {
      Burst burst = schedule.get(i);
      double next = settings.next(schedule, i);
      outcomes.add(
          new BurstOutcome(
              turn.round(),
              i + 1,
              burst.bytesPerSecond(),
              burst.seconds(),
              finite(turn.absorbed(burst)),
              finite(forecast.fullAt(burst.begin(), burst.end()) - burst.begin()),
              finite(turn.recovered(burst, next, settings.steeredBytes())),
              finite(forecast.settledAt(burst.end(), next) - burst.end())));
    }
    return outcomes;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** Measured and predicted, of what happened in both. */
  public static List<Figure> figures(String load, List<BurstOutcome> outcomes) {
    List<Figure> figures = new ArrayList<>();
    add(figures, load, LENGTH, outcomes, BurstOutcome::absorbed, BurstOutcome::absorbedPredicted);
    add(figures, load, PAUSE, outcomes, BurstOutcome::recovered, BurstOutcome::recoveredPredicted);
    return figures;
  }

  private static void add(
      List<Figure> figures,
      String load,
      Figure.Kind kind,
      List<BurstOutcome> outcomes,
      Function<BurstOutcome, Double> measured,
      Function<BurstOutcome, Double> predicted) {
    // A prediction of nothing at all can't be divided by.
    List<BurstOutcome> both =
        outcomes.stream()
            .filter(o -> measured.apply(o) != null && predicted.apply(o) != null)
            .filter(o -> predicted.apply(o) > 0)
            .toList();
    if (!both.isEmpty()) {
      figures.add(
          kind.of(load, "measured", Spread.of(both.stream().map(measured).toList()), "predicted"));
      figures.add(kind.of(load, "predicted", Spread.of(both.stream().map(predicted).toList())));
    }
  }
}
