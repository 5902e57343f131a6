// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.VerificationReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SoakCommandTest {
  @Test
  void aRecordThatIsMissingOrAlteredAndAnEmptyRunAreNotOk() {
    assertThat(verdict(report(10, 9, 1, 0, 0)).ok()).isTrue();
    assertThat(verdict(report(10, 9, 0, 1, 0)).ok()).isFalse();
    assertThat(verdict(report(10, 10, 0, 0, 1)).ok()).isFalse();
    assertThat(verdict(report(10, 8, 1, 0, 0)).ok()).isFalse();
    assertThat(verdict(VerificationReport.EMPTY).ok()).isFalse();
  }

  @Test
  void aCalmLapNeverEndsTheProcess() {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      assertThat(KafkaSoakEvent.any(random, true, false))
          .isIn(KafkaSoakEvent.BURST, KafkaSoakEvent.READ_ALL, KafkaSoakEvent.DELETED_TOPIC);
    }
  }

  @Test
  void whatAProcessHoldsIsReadFromTheKernel() throws Exception {
    Footprint own = Footprint.of(ProcessHandle.current().pid());
    assertThat(own.memoryBytes()).isGreaterThan(1 << 20);
    assertThat(own.descriptors()).isPositive();
    assertThat(own.mappings()).isPositive();
    assertThat(own.within(own)).isTrue();
    assertThat(own.within(new Footprint(own.memoryBytes(), 0, own.mappings()))).isFalse();
  }

  private static SoakResult verdict(VerificationReport found) {
    KafkaSoak soak = new KafkaSoak(null, Optional.empty(), 1, new Random(1), null);
    soak.tally.found(found);
    soak.tally.lapEnds();
    return SoakResult.of(SoakedEngine.KAFKA, 1, Duration.ZERO, soak.tally, soak.records());
  }

  private static VerificationReport report(
      long acknowledged, long verified, long superseded, long lost, long corrupt) {
    return new VerificationReport(
        acknowledged, verified, 0, superseded, lost, corrupt, 0, 0, 0, List.of());
  }
}
