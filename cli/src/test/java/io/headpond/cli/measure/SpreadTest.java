// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void theMedianOfAnOddNumberIsTheValueInTheMiddle() {
    assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(1, 4, 9, List.of(9.0, 1.0, 4.0)));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMiddleBetweenTwo() {
    assertThat(Spread.of(8, 1, 2, 4)).isEqualTo(new Spread(1, 3, 8, List.of(8.0, 1.0, 2.0, 4.0)));
  }

  @Test
  void ratiosAreTakenRoundByRoundNotOfTheMedians() {
    double[] own = {10, 20, 90};
    double[] other = {5, 20, 30};
    assertThat(Spread.ofRatios(own, other)).contains(Spread.of(2, 1, 3));
  }

  @Test
  void roundsWithoutCounterpartHaveNoRatio() {
    assertThat(Spread.ofRatios(new double[] {1, 2}, new double[] {1})).isEmpty();
    assertThat(Spread.ofRatios(new double[] {1}, new double[] {1, 2})).isEmpty();
    assertThat(Spread.ofRatios(new double[0], new double[0])).isEmpty();
  }

  @Test
  void aBaselineThatGaveNothingInARoundHasNoRatio() {
    for (double nothing : new double[] {0, -0.0, -1, Double.NaN}) {
      assertThat(Spread.ofRatios(new double[] {1, 2}, new double[] {1, nothing})).isEmpty();
    }
    assertThat(Spread.ofRatios(new double[] {0, 2}, new double[] {1, 1})).contains(Spread.of(0, 2));
  }

  @Test
  void nothingHasNoSpread() {
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void itsTextHasTheMedianFirst() {
    assertThat(Spread.of(950, 970, 981).in(1e3).text(2)).isEqualTo("0.97 (0.95-0.98)");
    assertThat(Spread.ratioText(Spread.of(1, 2, 3), 0)).isEqualTo("2 (1-3)");
    assertThat(Spread.ratioText(null, 2)).isEqualTo("no ratio");
  }
}
