// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.VerificationReport;
import io.headpond.torture.Run;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SoakCommandTest {
  private static final long[] NO_MOVES = {0, 0, 0};

  @Test
  void itsLengthHasLimitsAndOneOption() {
    for (String hours : new String[] {"0", "169"}) {
      Run run = Run.of(new SoakCommand(), "--hours", hours);
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("--hours goes from 1 to 168");
    }
    assertThat(Run.of(new SoakCommand(), "--duration", "9s").err()).contains("from 10s to 7d");
    assertThat(Run.of(new SoakCommand(), "--duration", "8d").err()).contains("from 10s to 7d");
    assertThat(Run.of(new SoakCommand(), "--duration", "1m", "--hours", "1").err())
        .contains("not both");
  }

  @Test
  void aRecordThatIsMissingOrAlteredAndAnEmptyRunAreNotOk() {
    assertThat(verdict(report(10, 9, 1, 0, 0)).ok()).isTrue();
    assertThat(verdict(report(10, 9, 0, 1, 0)).ok()).isFalse();
    assertThat(verdict(report(10, 10, 0, 0, 1)).ok()).isFalse();
    assertThat(verdict(report(10, 8, 1, 0, 0)).ok()).isFalse();
    assertThat(verdict(VerificationReport.EMPTY).ok()).isFalse();
  }

  @Test
  void aBrokerThatHoldsMoreThanItsSegmentsExplainIsNotOk() {
    KafkaSoakTally tally = new KafkaSoakTally();
    tally.found(report(10, 10, 0, 0, 0));
    tally.holds(new Footprint(1L << 30, 1_000, 3_000), 400);
    assertThat(KafkaSoakResult.of(1, 2, tally, NO_MOVES, Set.of()).ok()).isTrue();
    tally.holds(new Footprint(1L << 30, 1_000, 3_000), 20);
    KafkaSoakResult result = KafkaSoakResult.of(1, 2, tally, NO_MOVES, Set.of());
    assertThat(result.ok()).isFalse();
    assertThat(result.beyondLimit()).contains("with 20 segments").contains("descriptors=1000");
  }

  @Test
  void aCalmLapNeverEndsTheProcess() {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      assertThat(KafkaSoakEvent.any(random, true, Set.of()))
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

  private static KafkaSoakResult verdict(VerificationReport found) {
    KafkaSoakTally tally = new KafkaSoakTally();
    tally.found(found);
    tally.lapEnds();
    return KafkaSoakResult.of(1, 2, tally, NO_MOVES, Set.of());
  }

  private static VerificationReport report(
      long acknowledged, long verified, long superseded, long lost, long corrupt) {
    return new VerificationReport(
        acknowledged, verified, 0, superseded, lost, corrupt, 0, 0, 0, List.of());
  }
}
