// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All values are calculated by hand: 100 GiB at a threshold of 0.5 leave 50 GiB = 51,200 MiB for
 * bursts; 1,536 MiB/s above a home of 512 MiB/s grow by 1,024 MiB/s, so they last 50 s, and need
 * 100 s to go home at 512 MiB/s.
 */
class PlanCommandTest {
  private static final String CAPACITY = "--capacity=100GiB";
  private static final String THRESHOLD = "--threshold=0.5";
  private static final String BURST = "--burst-rate=1536MiB";
  private static final String LENGTH = "--burst-length=50s";
  private static final String HOME = "--home-rate=512MiB";
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static Run run(String... options) {
    List<String> args = new ArrayList<>(List.of("plan"));
    args.addAll(List.of(options));
    return Run.of(args.toArray(String[]::new));
  }

  private static JsonNode plan(int exitCode, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of(options));
    args.add("--json");
    Run run = run(args.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  private static void assertIsThePlan(JsonNode plan, String calculated) {
    assertThat(plan.get("ok").asBoolean()).isTrue();
    assertThat(plan.get("capacity_bytes").asLong()).isEqualTo(100 * GIB);
    assertThat(plan.get("threshold").asDouble()).isEqualTo(0.5);
    assertThat(plan.get("reserved_bytes").asLong()).isEqualTo(50 * GIB);
    assertThat(plan.get("burst_bytes_per_second").asLong()).isEqualTo(1_536 * MIB);
    assertThat(plan.get("burst_length_ms").asLong()).isEqualTo(50_000);
    assertThat(plan.get("absorbed_ms").asLong()).isEqualTo(50_000);
    // 51,200 MiB at 1,536 MiB/s
    assertThat(plan.get("absorbed_without_migration_ms").asLong()).isEqualTo(33_333);
    assertThat(plan.get("home_bytes_per_second").asLong()).isEqualTo(512 * MIB);
    assertThat(plan.get("pause_ms").asLong()).isEqualTo(100_000);
    assertThat(plan.get("burst_every_ms").asLong()).isEqualTo(150_000);
    // As soon as they may come, the average is what home takes.
    assertThat(plan.get("average_bytes_per_second").asLong()).isEqualTo(512 * MIB);
    assertThat(plan.get("calculated").asText(null)).isEqualTo(calculated);
  }

  @Test
  void anyOneOfTheFiveFollowsFromTheOthers() throws IOException {
    assertIsThePlan(plan(0, THRESHOLD, BURST, LENGTH, HOME), "--capacity");
    assertIsThePlan(plan(0, CAPACITY, BURST, LENGTH, HOME), "--threshold");
    assertIsThePlan(plan(0, CAPACITY, THRESHOLD, LENGTH, HOME), "--burst-rate");
    assertIsThePlan(plan(0, CAPACITY, THRESHOLD, BURST, HOME), "--burst-length");
    assertIsThePlan(plan(0, CAPACITY, THRESHOLD, BURST, LENGTH), "--home-rate");
  }

  @Test
  void withAllFiveThePlanIsChecked() throws IOException {
    assertIsThePlan(plan(0, CAPACITY, THRESHOLD, BURST, LENGTH, HOME), null);
    JsonNode tooLong = plan(1, CAPACITY, THRESHOLD, BURST, "--burst-length=60s", HOME);
    assertThat(tooLong.get("ok").asBoolean()).isFalse();
    assertThat(tooLong.get("problems").get(0).asText()).contains("full after 50.0 s");
    assertThat(tooLong.get("pause_ms").asLong()).isEqualTo(100_000);
  }

  @Test
  void whatIsWrittenBetweenBurstsDelaysTheNext() throws IOException {
    // 51,200 MiB at 512 - 256 MiB/s
    JsonNode plan = plan(0, CAPACITY, THRESHOLD, BURST, HOME, "--sustained-rate=256MiB");
    assertThat(plan.get("pause_ms").asLong()).isEqualTo(200_000);
    assertThat(plan.get("burst_every_ms").asLong()).isEqualTo(250_000);
    assertThat(plan.get("average_bytes_per_second").asLong()).isEqualTo(512 * MIB);
  }

  @Test
  void homeMustHoldWhatRetentionKeepsLessWhatStaysInTheFastTier() throws IOException {
    // 512 MiB/s * 3,600 s = 1,800 GiB, less 50 GiB; 1,750 / 0.95 = 1,842.1
    JsonNode plan = plan(0, CAPACITY, THRESHOLD, BURST, HOME, "--retention=1h");
    assertThat(plan.get("at_home_bytes").asLong()).isEqualTo(1_750 * GIB);
    assertThat(plan.get("home_file_system_bytes").asLong())
        .isEqualTo(Math.round(1_750.0 * GIB / 0.95));
  }

  @Test
  void aBurstThatHomeTakesNeverFillsTheTier() throws IOException {
    JsonNode plan = plan(0, CAPACITY, THRESHOLD, HOME, "--burst-rate=512MiB");
    assertThat(plan.get("absorbed_ms").isNull()).isTrue();
    assertThat(plan.get("burst_length_ms").isNull()).isTrue();
    assertThat(plan.get("pause_ms").asLong()).isZero();
    assertThat(plan.get("average_bytes_per_second").asLong()).isEqualTo(512 * MIB);
    assertThat(run(CAPACITY, THRESHOLD, HOME, "--burst-rate=512MiB").out())
        .contains("for any time (calculated)")
        .contains("the tier never fills")
        .contains("at once");
    // A given length is an answer too, and the capacity it needs is none.
    assertThat(plan(0, HOME, "--burst-rate=1MiB", LENGTH).get("capacity_bytes").asLong()).isZero();
    assertThat(run(HOME, "--burst-rate=1MiB", LENGTH).out())
        .contains("settings     none: this burst needs no tier")
        .doesNotContain("headpond.tier.NAME", "partitions");
  }

  @Test
  void whatTakesThousandsOfYearsIsCalculatedToo() throws IOException {
    Run pause = run(CAPACITY, BURST, "--home-rate=1048577B", "--sustained-rate=1MiB");
    assertThat(pause.exitCode()).as(pause.err()).isZero(); // 50 GiB at 1 B/s
    assertThat(pause.out()).contains("14913080 h 53 m after the end of the last");
    Run absorbed = run(CAPACITY, "--burst-rate=536870913B", HOME, "--retention=999999999d");
    assertThat(absorbed.exitCode()).as(absorbed.err()).isZero();
    assertThat(absorbed.out()).contains("absorbed for 14913080 h 53 m", "for 23999999976 h 00 m");
  }

  @Test
  void aHomeThatNeedsToTakeNothingNeverMakesRoom() throws IOException {
    JsonNode plan = plan(1, "--capacity=1000GiB", BURST, LENGTH);
    assertThat(plan.get("home_bytes_per_second").asLong()).isZero();
    assertThat(plan.get("retention_ms").isNull()).isTrue();
    assertThat(plan.get("problems").get(0).asText()).contains("never room again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.57", "0.29", "0.90", "0.70"})
  void theThresholdToSetIsTheGivenOne(String threshold) {
    assertThat(run("--threshold=" + threshold, BURST, LENGTH, HOME).out())
        .contains("NAME.migrate.threshold=" + threshold)
        .containsPattern("NAME.capacity=\\d+MiB");
    assertThat(run("--threshold=0.9", BURST, LENGTH, HOME).out()).contains("capacity=512000MiB");
  }

  @Test
  void asMuchBetweenBurstsAsHomeTakesIsTooMuch() throws IOException {
    JsonNode plan = plan(1, CAPACITY, THRESHOLD, BURST, HOME, "--sustained-rate=512MiB");
    assertThat(plan.get("pause_ms").isNull()).isTrue();
    assertThat(plan.get("burst_every_ms").isNull()).isTrue();
    assertThat(plan.get("problems").get(0).asText()).contains("never room again");
  }

  @Test
  void aBurstLargerThanTheWholeTierIsAProblem() throws IOException {
    JsonNode plan = plan(1, CAPACITY, BURST, "--burst-length=200s", HOME);
    assertThat(plan.get("threshold").asDouble()).isEqualTo(-1);
    assertThat(plan.get("problems").get(0).asText()).contains("200.0 GiB have to wait");
  }

  @Test
  void pafkasFiguresComeOutOfItsFormulas() throws IOException {
    // 768 GB of memory, 8 GB/s, half reserved: 384 / 8 = 48 s with migration at rest.
    JsonNode plan =
        plan(0, "--capacity=768GiB", "--burst-rate=8GiB", "--home-rate=512MiB", THRESHOLD);
    assertThat(plan.get("absorbed_without_migration_ms").asLong()).isEqualTo(48_000);
    assertThat(plan.get("absorbed_ms").asLong()).isEqualTo(51_200); // 384 / 7.5
    assertThat(plan.get("pause_ms").asLong()).isEqualTo(768_000); // 384 / 0.5: Pafka's bound
  }

  @Test
  void theTextSaysWhatToSet() {
    Run run = run(BURST, LENGTH, "--home-rate=512MiB/s", "--retention=1h");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("100.0 GiB (calculated), threshold 0.50: 50.0 GiB of it for bursts")
        .contains("1.50 GiB/s for 50.0 s, while home takes 512.0 MiB/s")
        .contains("for 33.3 s if migration rests")
        .contains("1 m 40 s after the end of the last")
        .contains("a file system of 1.80 TiB")
        .contains("headpond.tier.NAME.capacity=102400MiB")
        .contains("headpond.tier.NAME.migrate.threshold=0.50");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--threshold=-1",
        "--threshold=1",
        "--threshold=NaN",
        "--burst-rate=0B",
        "--burst-rate=2GB",
        "--burst-length=0s",
        "--burst-length=60",
        "--retention=0s",
        "--segment-bytes=0B"
      })
  void whatMakesNoSenseIsWrongUsage(String wrong) {
    String option = wrong.substring(0, wrong.indexOf('='));
    List<String> options = new ArrayList<>(List.of(CAPACITY, BURST, HOME, LENGTH));
    options.removeIf(each -> each.startsWith(option + "="));
    options.add(wrong);
    Run run = run(options.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(2).contains(option);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--burst-rate=2GiB", "--capacity=1GiB"})
  void tooLittleToCalculateFromIsWrongUsageAndSaysWhatIsMissing(String only) {
    Run run = run(only, HOME);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("give three of").contains("missing: ", "--burst-length");
  }

  /** 50 GiB below the threshold are 50 active segments of 1 GiB. */
  @Test
  void manyPartitionsWithLargeSegmentsAreWarnedOf() throws IOException {
    String[] fits = {CAPACITY, THRESHOLD, BURST, HOME, "--partitions=50"};
    assertThat(plan(0, fits).get("active_segments_fitting").asLong()).isEqualTo(50);
    Run trap = run(CAPACITY, THRESHOLD, BURST, HOME, "--partitions=1000");
    assertThat(trap.exitCode()).isEqualTo(1);
    assertThat(trap.out())
        .contains("partitions   50 whose segments of 1.00 GiB (segment.bytes)")
        .contains(
            "PROBLEM      1,000 partitions with segments of 1.00 GiB (segment.bytes) may take")
        .contains("set segment.bytes to at most 51.2 MiB")
        .contains("headpond.home.only");
    assertThat(
            run(CAPACITY, THRESHOLD, BURST, HOME, "--partitions=1000", "--segment-bytes=32MiB")
                .exitCode())
        .isZero();
    assertThat(run(CAPACITY, THRESHOLD, BURST, HOME, "--partitions=0").exitCode()).isEqualTo(2);
    // Kafka takes no segment of 53 KiB, and 2^63 - 1 of 1 GiB are more than a long has bytes.
    for (String many : List.of("--partitions=1000000", "--partitions=9223372036854775807")) {
      assertThat(run(CAPACITY, THRESHOLD, BURST, HOME, many).out())
          .contains("appended to; keep topics out", "or make it larger")
          .doesNotContain("set segment.bytes", "take -", "take 0 B");
    }
  }
}
