// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.event.EventCode.Severity;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class EventCodeTest {
  private static final EventCode CODE =
      new EventCode(
          "HP9999",
          Severity.REFUSED,
          "{log directory}: {size} are missing",
          "Only a test says it.",
          "Look into {file}.");

  @Test
  void theCodeIsInFrontAndTheRemedyAtTheEnd() {
    assertThat(CODE.text("/logs", 7, "/etc/x"))
        .isEqualTo("HP9999 /logs: 7 B are missing. Look into /etc/x.");
  }

  @Test
  void aNumberOfBytesHasAUnit() {
    assertThat(CODE.text("/logs", 3L << 29, 7))
        .isEqualTo("HP9999 /logs: 1.50 GiB are missing. Look into 7.");
  }

  @Test
  void aValueMayHoldWhatARegularExpressionOrAPlaceWouldBeMadeOf() {
    assertThat(CODE.text("/lo\\gs$1", "{file}", null))
        .isEqualTo("HP9999 /lo\\gs$1: {file} are missing. Look into null.");
  }

  @Test
  void aValueThatIsNotGivenIsNoFailureInPlaceOfTheMessage() {
    assertThat(CODE.text("/logs")).isEqualTo("HP9999 /logs: {size} are missing. Look into {file}.");
  }

  @Test
  void aThrowableAtTheEndIsTheCauseOfARefusal() {
    final IOException cause = new IOException("gone");
    assertThat(CODE.refusal("/logs", 7, "/etc/x", cause))
        .hasMessage("HP9999 /logs: 7 B are missing. Look into /etc/x.")
        .hasCause(cause);
    assertThat(CODE.refusal("/logs", 7, "/etc/x")).hasNoCause();
  }
}
