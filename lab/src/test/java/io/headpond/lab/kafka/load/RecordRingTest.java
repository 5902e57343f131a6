// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecordRingTest {

  @Test
  void itsRecordsAreRecognisedAndChangedOnesAreNot() {
    RecordRing ring = new RecordRing(1024);
    byte[] value = ring.value(5).clone();
    assertThat(value).hasSize(1024);
    assertThat(ring.holds(ring.key(5), value)).isTrue();
    value[1023] ^= 1;
    assertThat(ring.holds(ring.key(5), value)).isFalse();
    assertThat(ring.holds(ring.key(6), ring.value(5))).isFalse();
  }

  @Test
  void neighboursDiffer() {
    RecordRing ring = new RecordRing(240_000);
    assertThat(ring.value(0)).isNotEqualTo(ring.value(1));
    assertThat(ring.bytes(0)).isEqualTo(240_000 + ring.key(0).length);
  }

  @Test
  void itTakesAsMuchMemoryForSmallRecordsAsItMay() {
    RecordRing ring = new RecordRing(64);
    assertThat(ring.value(16_384)).isSameAs(ring.value(0));
  }
}
