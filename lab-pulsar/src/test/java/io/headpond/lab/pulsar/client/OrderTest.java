// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {

  private static long disordered(List<Integer> taken) {
    Order<Integer> order = new Order<>();
    taken.forEach(order::take);
    return order.disordered();
  }

  @Test
  void whatAscendsIsInOrder() {
    assertThat(disordered(List.of())).isZero();
    assertThat(disordered(List.of(3, 5, 5, 9))).isZero();
  }

  @Test
  void allThatComesAfterSomethingFurtherIsCounted() {
    assertThat(disordered(List.of(1, 9, 2, 3, 4, 10))).isEqualTo(3);
  }
}
