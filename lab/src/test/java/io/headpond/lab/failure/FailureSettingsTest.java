// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.variant.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureSettingsTest {

  private static FailureSettings settings(double rate, int bytes, int seconds, int rounds)
      throws IOException {
    return settings(
        new Brokers(),
        List.of(Variant.HEADPOND, Variant.VANILLA_DISK),
        rate,
        bytes,
        seconds,
        rounds);
  }

  private static FailureSettings settings(
      FailureEngine engine,
      List<ComparedVariant> variants,
      double rate,
      int bytes,
      int seconds,
      int rounds)
      throws IOException {
    return new FailureSettings(
        engine,
        variants,
        Path.of("/dev/shm"),
        Path.of("/var/tmp"),
        JavaHome.current(),
        rate,
        bytes,
        seconds,
        seconds,
        seconds,
        rounds);
  }

  @Test
  void whatWouldShowNothingOrFillTheDiskIsRefused() throws IOException {
    assertThat(settings(500, 1024, 10, 2).text())
        .isEqualTo("500 messages/s of 1024 B, acks=all, 3 brokers, one of them dead for 10 s");
    assertRefused("10 to 100,000 messages/s", 9, 1024, 10, 2);
    assertRefused("64 to 1,000,000 bytes", 500, 63, 10, 2);
    assertRefused("1 to 600 seconds", 500, 1024, 601, 2);
    assertRefused("1 to 600 seconds", 500, 1024, 0, 2);
    assertRefused("1 to 100", 500, 1024, 10, 101);
    assertRefused("more than 8 GiB", 10_000, 100_000, 600, 1);
  }

  private static void assertRefused(
      String message, double rate, int bytes, int seconds, int rounds) {
    assertThatThrownBy(() -> settings(rate, bytes, seconds, rounds))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void onlyAQuorumOfBookiesThatSurvivesADeathIsTaken() throws IOException {
    List<ComparedVariant> variants = List.of(JournalVariant.HEADPOND, JournalVariant.DEFAULT_DISK);
    assertThat(settings(new Bookies(LedgerQuorum.of("3-3-2")), variants, 500, 64, 8, 2).text())
        .isEqualTo("500 messages/s of 64 B, quorum 3-3-2, 3 bookies, one of them dead for 8 s");
    assertThat(LedgerQuorum.of("2-2-2").goesOn()).isFalse();
    assertThatThrownBy(() -> LedgerQuorum.of("3-2-2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2-2-2 or 3-3-2, not 3-2-2");
  }

  @Test
  void headpondComesFirstAndEachBaselineOnce() {
    Brokers brokers = new Brokers();
    for (List<ComparedVariant> variants :
        List.<List<ComparedVariant>>of(
            List.of(Variant.VANILLA_DISK),
            List.of(Variant.HEADPOND, Variant.VANILLA_DISK, Variant.VANILLA_DISK))) {
      assertThatThrownBy(() -> settings(brokers, variants, 500, 1024, 8, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("each of them once");
    }
  }
}
