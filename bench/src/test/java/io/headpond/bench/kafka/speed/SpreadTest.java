// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void theMedianOfAnOddNumberIsTheValueInTheMiddle() {
    assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(1, 4, 9));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMiddleBetweenTwo() {
    assertThat(Spread.of(8, 1, 2, 4)).isEqualTo(new Spread(1, 3, 8));
  }

  @Test
  void oneRoundIsItsOwnSpread() {
    assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7));
  }

  @Test
  void ratiosAreTakenRoundByRoundNotOfTheMedians() {
    double[] own = {10, 20, 90};
    double[] other = {5, 20, 30};
    assertThat(Spread.ofRatios(own, other)).isEqualTo(new Spread(1, 2, 3));
  }

  @Test
  void theOrderOfTheRoundsIsLeftAlone() {
    double[] own = {3, 1, 2};
    Spread.of(own);
    assertThat(own).containsExactly(3, 1, 2);
  }

  @Test
  void roundsWithoutCounterpartAreRefused() {
    assertThatThrownBy(() -> Spread.ofRatios(new double[] {1, 2}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 rounds against 1");
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
  }
}
