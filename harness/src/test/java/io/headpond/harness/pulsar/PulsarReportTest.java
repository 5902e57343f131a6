// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.Fields;
import io.headpond.harness.load.HistogramText;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PulsarReportTest {

  private static final PulsarReport CLEAN =
      new PulsarReport(10, 10, 0, 0, 1, 2, 5, 0, 0, 0, 3, List.of());

  @Test
  void aReportIsReadAsItWasWritten() {
    PulsarReport report =
        new PulsarReport(
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, List.of("one = 1", "two, with a space"));
    assertThat(Fields.decode(PulsarReport.class, Fields.encode(report))).isEqualTo(report);
    assertThat(Fields.decode(PulsarReport.class, Fields.encode(CLEAN))).isEqualTo(CLEAN);
  }

  @Test
  void figuresAreReadAsTheyWereWritten() {
    PulsarFigures figures =
        new PulsarFigures(true, 1, 2, 3, 4, 5, 6, 7, 8, true, List.of("publisher: gone"));
    assertThat(Fields.decode(PulsarFigures.class, Fields.encode(figures))).isEqualTo(figures);
  }

  @Test
  void latenciesAreReadAsTheyWereWritten() {
    Histogram latency = new Histogram(3);
    latency.recordValue(1_000_000);
    latency.recordValueWithCount(250_000, 1_000);
    assertThat(HistogramText.decode(HistogramText.encode(latency))).isEqualTo(latency);
  }

  @Test
  void settingsAreReadAsTheyWereWritten() {
    PulsarLoadSettings settings =
        PulsarLoadSettings.of("pulsar://127.0.0.1:1", "persistent://public/default/t", 3)
            .seed(-7)
            .bytesPerSecond(1 << 20)
            .messagesMax(500);
    assertThat(Fields.decode(PulsarLoadSettings.class, Fields.encode(settings)))
        .isEqualTo(settings);
  }

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
