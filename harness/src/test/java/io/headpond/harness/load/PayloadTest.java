// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PayloadTest {

  @Test
  void preparedValuesAreTheFirstOnesAndFewerIfTheyAreLarge() {
    Payload small = new Payload(1, 1024, false, Long.MAX_VALUE);
    assertThat(small.prepared()).hasDimensions(1000, 1024);
    assertThat(small.verify(small.key(999), small.prepared()[999])).isEqualTo(999);

    byte[][] large = new Payload(1, 1_000_000, false, Long.MAX_VALUE).prepared();
    assertThat(large.length).isEqualTo(67);
  }
}
