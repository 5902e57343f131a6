// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headpond.harness.process.JavaHome;
import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.kafka.variant.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstSettingsTest {
  private static final String MIGRATION_RATE = "headpond.migrate.bytes.per.second";

  private static final long MIB = 1 << 20;

  private static BurstSettings settings(BurstProfile profile, int bursts, long seed)
      throws IOException {
    return settings(
        profile, bursts, seed, 256 * MIB, 2 * MIB, HomeRate.throttled(12 * MIB), 32 * MIB);
  }

  private static BurstSettings settings(
      BurstProfile profile, int bursts, long seed, long tier, long base, HomeRate home, long burst)
      throws IOException {
    return new BurstSettings(
        List.of(Variant.VANILLA_DISK),
        Path.of("/dev/shm"),
        Path.of("/var/tmp"),
        JavaHome.current(),
        tier,
        BurstSettings.SEGMENTS_FINE,
        0.5,
        home,
        burst,
        base,
        profile,
        bursts,
        1.3,
        4096,
        1,
        seed,
        20);
  }

  @Test
  void constantBurstsOverflowTheTierAndHaveTheTimeToRecover() throws IOException {
    BurstSettings settings = settings(BurstProfile.CONSTANT, 3, 0);
    TierForecast forecast = settings.forecast();
    List<Burst> schedule = settings.schedule();

    assertThat(schedule).hasSize(3);
    for (int i = 0; i < 3; i++) {
      Burst burst = schedule.get(i);
      assertThat(forecast.fullAt(burst.begin(), burst.end()) - burst.begin())
          .isCloseTo(128.0 / 20, within(1e-6));
      assertThat(forecast.settledAt(burst.end(), settings.next(schedule, i)) - burst.end())
          .isCloseTo(128.0 / 10, within(1e-6));
    }
  }

  @Test
  void stepsRiseToTheFullRate() throws IOException {
    assertThat(settings(BurstProfile.STEP, 4, 0).schedule())
        .extracting(burst -> burst.bytesPerSecond() / MIB)
        .containsExactly(20.0, 24.0, 28.0, 32.0);
  }

  @Test
  void randomBurstsAreThoseOfTheirSeed() throws IOException {
    List<Burst> first = settings(BurstProfile.RANDOM, 50, 7).schedule();

    assertThat(settings(BurstProfile.RANDOM, 50, 7).schedule()).isEqualTo(first);
    assertThat(settings(BurstProfile.RANDOM, 50, 8).schedule()).isNotEqualTo(first);
    assertThat(first)
        .allSatisfy(burst -> assertThat(burst.bytesPerSecond()).isBetween(16.0 * MIB, 32.0 * MIB));
    for (int i = 1; i < first.size(); i++) {
      assertThat(first.get(i).begin()).isGreaterThan(first.get(i - 1).end());
    }
  }

  @Test
  void thePaceFillsTheTierAndThenGoesThroughAllBursts() throws IOException {
    BurstSettings settings = settings(BurstProfile.RANDOM, 5, 3);
    double seconds = settings.pace().steps().stream().mapToDouble(step -> step.seconds()).sum();

    assertThat(seconds).isCloseTo(settings.rampSeconds() + settings.seconds(), within(1e-6));
    assertThat(settings.pace().meanPerSecond() * 4096 * seconds)
        .isCloseTo(settings.bytes(), within(1.0 * MIB));
  }

  @Test
  void whatWouldShowNothingIsRefused() {
    long tier = 256 * MIB;
    assertRefused("at least 64 MiB", 1, 64 * MIB - 1, 2, 12, 32);
    assertRefused("below what home takes", 1, tier, 12, 12, 32);
    assertRefused("below what home takes", 1, tier, 2, 32, 32);
    assertRefused("more than a day", 1000, 1L << 40, 2, 12, 32);
    assertRefused("1 to 1,000 bursts", 1001, tier, 2, 12, 32);
  }

  /** Vanilla Kafka would begin its bursts with a backlog else. */
  @Test
  void aSlowDisksTierIsFilledAtARateThatTheDiskTakes() throws IOException {
    HomeRate disk = HomeRate.ofDisk(10 * MIB);
    BurstSettings settings =
        settings(BurstProfile.CONSTANT, 1, 0, 256 * MIB, 2 * MIB, disk, 32 * MIB);

    assertThat(settings.pace().steps().get(0).perSecond() * 4096)
        .isCloseTo(8.0 * MIB, within(1.0 * MIB));
    assertThat(settings.tier().settings()).containsEntry(MIGRATION_RATE, "-1");
    assertThat(settings(BurstProfile.CONSTANT, 1, 0).tier().settings())
        .containsEntry(MIGRATION_RATE, 12 * MIB + "B");
  }

  private static void assertRefused(
      String message, int bursts, long tier, long base, long home, long burst) {
    assertThatThrownBy(
            () ->
                settings(
                        BurstProfile.CONSTANT,
                        bursts,
                        0,
                        tier,
                        base * MIB,
                        HomeRate.throttled(home * MIB),
                        burst * MIB)
                    .schedule())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
