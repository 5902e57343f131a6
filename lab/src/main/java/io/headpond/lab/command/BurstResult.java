// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.lab.burst.BurstCurves;
import io.headpond.lab.burst.BurstOutcome;
import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.burst.BurstTurn;
import io.headpond.lab.comparison.Curve;
import java.util.List;

/**
 * The JSON of {@code headpond-lab run burst}: when bursts came, what they did to the tier, every
 * turn sample by sample, and the charts.
 */
record BurstResult(
    List<Burst> schedule, List<BurstOutcome> outcomes, List<BurstTurn> turns, List<Curve> curves) {

  static BurstResult of(
      BurstSettings settings, List<BurstTurn> turns, List<BurstOutcome> outcomes) {
    return new BurstResult(
        settings.schedule(), outcomes, List.copyOf(turns), BurstCurves.of(settings, turns));
  }
}
