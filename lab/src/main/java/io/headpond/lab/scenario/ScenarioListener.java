// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.BenchListener;

/** Is told how a scenario goes on, by the thread that runs it. */
public interface ScenarioListener extends BenchListener<PointTurn> {

  /** One variant's search has ended. */
  void found(SearchTurn turn);
}
