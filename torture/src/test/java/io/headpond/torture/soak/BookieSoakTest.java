// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.ContentReport;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The verdict of a bookie's soak; the soak itself is for the command. */
class BookieSoakTest {
  private static final long MIB = 1L << 20;

  @Test
  void anEntryThatIsMissingOrAlteredAndAnEmptyRunAreNotOk() {
    assertThat(verdict(10, 10, 0, 0, 0).ok()).isTrue();
    assertThat(verdict(10, 6, 4, 0, 0).ok()).isTrue();
    assertThat(verdict(10, 9, 0, 1, 0).ok()).isFalse();
    assertThat(verdict(10, 9, 0, 0, 1).ok()).isFalse();
    assertThat(verdict(10, 6, 3, 0, 0).ok()).isFalse();
    assertThat(verdict(0, 0, 0, 0, 0).ok()).isFalse();
  }

  @Test
  void aServerThatHoldsMoreThanItsFilesExplainIsNotOk() {
    SoakTally<BookieSoakEvent, ContentReport> tally = whole();
    tally.holds(new Footprint(MIB, 900, 100), 200);
    assertThat(result(tally).ok()).isTrue();
    tally.holds(new Footprint(MIB, 900, 100), 199);
    assertThat(result(tally).ok()).isFalse();
    assertThat(result(tally).beyondLimit()).contains("with 199 files", "descriptors=900");
    assertThat(result(tally).descriptorsMax()).isEqualTo(900);
  }

  @Test
  void memoryThatGrowsWhileTheBookieRunsOnIsNotOk() {
    SoakTally<BookieSoakEvent, ContentReport> flat = whole();
    flat.grew(growth(LongStream.range(0, 90).map(i -> 600 * MIB + i * MIB / 2)));
    assertThat(result(flat).ok()).isTrue();
    assertThat(result(flat).memoryGrowthBytesMax()).isEqualTo(15 * MIB);

    SoakTally<BookieSoakEvent, ContentReport> leaking = whole();
    leaking.grew(growth(LongStream.range(0, 90).map(i -> 600 * MIB + i * 3 * MIB)));
    assertThat(result(leaking).ok()).isFalse();
    assertThat(result(leaking).beyondLimit()).contains("grew by " + 90 * MIB);
  }

  @Test
  void aWarmUpIsNoGrowthAndFewSamplesSayNothing() {
    Growth warmed = growth(LongStream.range(0, 90).map(i -> Math.min(i, 25) * MIB));
    assertThat(warmed.bytes()).isZero();
    SoakTally<BookieSoakEvent, ContentReport> tally = whole();
    tally.grew(growth(LongStream.range(0, Growth.SAMPLES_MIN - 1).map(i -> i << 30)));
    assertThat(result(tally).memoryGrowthBytesMax()).isNull();
    assertThat(result(tally).ok()).isTrue();
  }

  @Test
  void aCalmLapEndsNoProcessAndOnlyABrokerIsABrokersEvent() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      assertThat(BookieSoakEvent.any(random, true, true, false))
          .isIn(BookieSoakEvent.WRITING, BookieSoakEvent.DELETION, BookieSoakEvent.READ_ALL);
      assertThat(BookieSoakEvent.any(random, false, false, false))
          .isNotIn(
              BookieSoakEvent.FULL_DEVICE,
              BookieSoakEvent.BROKER_KILL,
              BookieSoakEvent.BROKER_RESTART);
      assertThat(BookieSoakEvent.any(random, false, true, true))
          .isNotEqualTo(BookieSoakEvent.DELETION);
    }
  }

  private static SoakResult verdict(
      long acknowledged, long verified, long gone, long lost, long corrupt) {
    return SoakResult.of(
        SoakedEngine.BOOKIE,
        1,
        Duration.ZERO,
        whole(),
        new SoakResult.Records(acknowledged, verified, gone, lost, corrupt, lost + corrupt == 0));
  }

  private static SoakTally<BookieSoakEvent, ContentReport> whole() {
    return new SoakTally<>(
        BookieSoakEvent.class,
        new ContentReport(0, 0, 0, 0, 0, List.of()),
        new Footprint(1L << 30, 500, 1_500),
        2);
  }

  private static SoakResult result(SoakTally<BookieSoakEvent, ContentReport> tally) {
    return SoakResult.of(
        SoakedEngine.BOOKIE,
        1,
        Duration.ZERO,
        tally,
        new SoakResult.Records(10, 10, 0, 0, 0, true));
  }

  private static Growth growth(LongStream bytes) {
    Growth growth = new Growth();
    bytes.forEach(growth::add);
    return growth;
  }
}
