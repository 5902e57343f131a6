// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.burst.BurstCurves;
import io.headpond.bench.burst.BurstOutcome;
import io.headpond.bench.burst.BurstProfile.Burst;
import io.headpond.bench.burst.BurstSettings;
import io.headpond.bench.burst.BurstTurn;
import io.headpond.bench.comparison.Curve;
import java.util.List;

/**
 * The JSON of {@code headpond bench burst}: when bursts came, what they did to the tier, every turn
 * sample by sample, and the charts.
 */
record BurstResult(
    List<Burst> schedule, List<BurstOutcome> outcomes, List<BurstTurn> turns, List<Curve> curves) {

  static BurstResult of(
      BurstSettings settings, List<BurstTurn> turns, List<BurstOutcome> outcomes) {
    return new BurstResult(
        settings.schedule(), outcomes, List.copyOf(turns), BurstCurves.of(settings, turns));
  }
}
