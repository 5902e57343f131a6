// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.Payload;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.junit.jupiter.api.Test;

class AcknowledgedTest {

  @Test
  void aMessageIsWhereItWasAcknowledgedAndNowhereElse() {
    Acknowledged acknowledged = new Acknowledged();
    acknowledged.add(5_000, Acknowledged.place(1, at(7, 3, -1)));
    assertThat(acknowledged.isAt(5_000, Acknowledged.place(1, at(7, 3, -1)))).isTrue();
    assertThat(acknowledged.isAt(5_000, Acknowledged.place(0, at(7, 3, -1)))).isFalse();
    assertThat(acknowledged.isAt(5_000, Acknowledged.place(1, at(7, 4, -1)))).isFalse();
    assertThat(acknowledged.isAt(4_999, Acknowledged.place(1, at(7, 3, -1)))).isFalse();
    assertThat(acknowledged.holds(5_000)).isTrue();
    assertThat(acknowledged.holds(4_999)).isFalse();
    assertThat(acknowledged.count()).isEqualTo(1);
  }

  @Test
  void noTwoPlacesOfATopicAreTheSame() {
    Set<Long> places = new HashSet<>();
    for (int partition = 0; partition < 4; partition++) {
      for (int ledger = 0; ledger < 10; ledger++) {
        for (int entry = 0; entry < 100; entry++) {
          for (int batch = -1; batch < 20; batch++) {
            places.add(Acknowledged.place(partition, at(ledger, entry, batch)));
          }
        }
      }
    }
    assertThat(places).hasSize(4 * 10 * 100 * 21);
  }

  @Test
  void whatASubscriptionNeverGotIsMissing() {
    Acknowledged acknowledged = new Acknowledged();
    Received received = new Received(new Payload(1, 100, true, 10));
    for (int id = 0; id < 10; id++) {
      acknowledged.add(id, id + 1);
    }
    assertThat(received.take(3)).isEqualTo(Received.Kind.FIRST);
    assertThat(received.take(3)).isEqualTo(Received.Kind.AGAIN);
    assertThat(received.take(12)).as("not acknowledged").isEqualTo(Received.Kind.FIRST);
    assertThat(received.take(-1)).isEqualTo(Received.Kind.CORRUPT);
    BitSet missing = received.missing(acknowledged);
    assertThat(missing.cardinality()).isEqualTo(9);
    assertThat(missing.get(3)).isFalse();
    assertThat(received.messages()).isEqualTo(3);
    assertThat(received.again()).isEqualTo(1);
    assertThat(received.corrupt()).isEqualTo(1);
  }

  private static MessageId at(long ledger, long entry, int batch) {
    return new MessageIdAdv() {
      @Override
      public long getLedgerId() {
        return ledger;
      }

      @Override
      public long getEntryId() {
        return entry;
      }

      @Override
      public int getBatchIndex() {
        return batch;
      }

      @Override
      public byte[] toByteArray() {
        throw new UnsupportedOperationException();
      }
    };
  }
}
