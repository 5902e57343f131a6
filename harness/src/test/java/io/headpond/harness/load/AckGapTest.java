// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AckGapTest {

  @Test
  void theLongestSinceTheLastCallIsTold() {
    AckGap gap = new AckGap(100);
    gap.acknowledged(110);
    gap.acknowledged(150);
    gap.acknowledged(155);
    assertThat(gap.take(160)).isEqualTo(40);
    gap.acknowledged(162);
    assertThat(gap.take(163)).isEqualTo(7);
  }

  @Test
  void oneThatLastsYetCountsAsFarAsItIsKnownAndWholeWhenItEnds() {
    AckGap gap = new AckGap(0);
    assertThat(gap.take(30)).isEqualTo(30);
    assertThat(gap.take(50)).isEqualTo(50);
    gap.acknowledged(70);
    assertThat(gap.take(71)).isEqualTo(70);
  }
}
