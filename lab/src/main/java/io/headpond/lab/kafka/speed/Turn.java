// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.lab.comparison.Settling;
import io.headpond.lab.kafka.load.Load;
import java.io.IOException;
import java.util.Locale;

/** What one variant does in one round, measure by measure. */
final class Turn {

  private final Contender contender;
  private final Load load;
  private final int round;
  private final int overflowedBefore;
  private LatencyFigures latency;
  private LatencyFigures roll;
  private ThroughputFigures produce;
  private ThroughputFigures consume;

  Turn(Contender contender, Load load, int round) {
    this.contender = contender;
    this.load = load;
    this.round = round;
    this.overflowedBefore = contender.overflowed();
  }

  /** Measures; producing also consumes, if that is wanted. */
  void take(Measure measure) throws IOException, InterruptedException {
    Settling.await(Settling.BRIEF);
    String name = String.format(Locale.ROOT, "round %d", round);
    switch (measure) {
      case LATENCY -> latency = contender.latency(name);
      case ROLL -> roll = contender.roll(name);
      case PRODUCE, CONSUME -> {
        ThroughputFigures[] figures = contender.fullSpeed(name);
        produce = figures[0];
        consume = figures[1];
      }
    }
  }

  /** What was measured. */
  RunFigures figures() {
    return new RunFigures(
        load,
        round,
        contender.variant(),
        latency,
        roll,
        produce,
        consume,
        contender.overflowed() - overflowedBefore,
        contender.othersShareMax());
  }
}
