// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PulsarReportTest {

  private static final PulsarReport CLEAN =
      new PulsarReport(10, 10, 0, 0, 1, 2, 5, 0, 0, 0, 3, List.of());

  @Test
  void whatTheBrokerStoredTwiceOrBehindLaterOnesIsNoLoss() {
    assertThat(CLEAN.clean()).isTrue();
  }

  @Test
  void anythingMissingCorruptOrOutOfOrderIsNotClean() {
    List<PulsarReport> spoiled =
        List.of(
            new PulsarReport(10, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, List.of()),
            new PulsarReport(10, 10, 0, 1, 0, 0, 0, 0, 0, 0, 0, List.of()),
            new PulsarReport(10, 10, 0, 0, 0, 0, 0, 1, 0, 0, 0, List.of()),
            new PulsarReport(10, 10, 0, 0, 0, 0, 0, 0, 1, 0, 0, List.of()),
            new PulsarReport(10, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0, List.of()),
            new PulsarReport(10, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of()),
            new PulsarReport(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of()));
    assertThat(spoiled).allMatch(report -> !report.clean());
  }
}
