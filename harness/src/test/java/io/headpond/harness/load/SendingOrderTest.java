// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What goes to a client's process and comes from it. */
class SendingOrderTest {

  @Test
  void anOrderIsReadAsItWasWritten() {
    Pace steps = new Pace(List.of(new Pace.Step(2, 1), new Pace.Step(0, 3)));
    for (Pace pace : List.of(Pace.FULL_SPEED, Pace.constant(0.5), steps)) {
      SendingOrder order = new SendingOrder(1024, 3, 500, pace);
      assertThat(Fields.decode(SendingOrder.class, Fields.word(order))).isEqualTo(order);
    }
  }

  @Test
  void anOrderWithoutSendersIsRefused() {
    assertThatThrownBy(() -> new SendingOrder(1024, 0, 1, Pace.FULL_SPEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 senders");
  }

  @Test
  void figuresAreReadAsTheyWereWritten() {
    Histogram latency = new Histogram(3);
    latency.recordValue(1_000_000);
    SentFigures figures = new SentFigures(7, 7 * 1024, 1, latency, "no answer = none\nat all");
    assertThat(Fields.decode(SentFigures.class, Fields.encode(figures))).isEqualTo(figures);
  }
}
