// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.BenchListener;

/** Receives the progress and the turns of a scenario, on the thread that runs it. */
public interface ScenarioListener extends BenchListener<PointTurn> {

  /** One variant's search has ended. */
  void found(SearchTurn turn);
}
