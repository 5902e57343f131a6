// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TierFiguresTest {

  private static TierState state(long migrated, TierBytes appended, TierBytes read) {
    return new TierState(0, migrated, 0, appended, read);
  }

  @Test
  void sharesAreOfWhatHappenedBetweenTheTwoLooks() {
    TierState before = state(1_000, new TierBytes(0, 5_000), new TierBytes(100, 100));
    TierState after = state(5_000, new TierBytes(750, 5_250), new TierBytes(100, 100));

    TierFigures figures = TierFigures.between(before, after, 2);

    assertThat(figures.appendedShare()).isEqualTo(0.75);
    assertThat(figures.readShare()).as("nothing was read").isNaN();
    assertThat(figures.migratedPerSecond()).isEqualTo(2_000);
  }
}
