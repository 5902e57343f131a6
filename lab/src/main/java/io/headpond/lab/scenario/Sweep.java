// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.harness.load.Pace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The curve of latency over throughput: one rate after the other, every variant until it no longer
 * takes what is due in most rounds.
 *
 * @param point is measured at these paces
 * @param perSecond messages a second, ascending
 * @param rounds of each rate
 */
public record Sweep(Point point, List<Double> perSecond, int rounds) {

  public Sweep {
    perSecond = List.copyOf(perSecond);
    for (int i = 1; i < perSecond.size(); i++) {
      if (perSecond.get(i) <= perSecond.get(i - 1)) {
        throw new IllegalArgumentException("the rates of a sweep ascend, unlike " + perSecond);
      }
    }
  }

  /** Measures it. */
  public void run(Turns turns) throws IOException, InterruptedException {
    List<Rig> left = new ArrayList<>(turns.rigs());
    for (double rate : perSecond) {
      Point due = point.at(Pace.constant(rate));
      Map<String, Integer> achieved = new HashMap<>();
      turns
          .of(left)
          .measure(
              due,
              rounds,
              turn -> {
                if (turn.figures().achieved(due)) {
                  achieved.merge(turn.variant().key(), 1, Integer::sum);
                }
              });
      left.removeIf(rig -> 2 * achieved.getOrDefault(rig.variant().key(), 0) <= rounds);
      if (left.isEmpty()) {
        return;
      }
    }
  }
}
