// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headpond.systemtests.EngineBench;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The benchmark of Kafka, as short as it gets: that it measures, not how fast anything is. */
@Tag("extra")
class KafkaBenchIT {

  private static final int RATE = 500;

  private static EngineBench bench(Workspace workspace) throws IOException {
    return EngineBench.of(
        workspace, "kafka", "--sizes", "1KiB", "--compare", "vanilla-disk", "--warm-up-seconds", 1);
  }

  @Test
  void aShortRunComparesAllMetricsAndLeavesNothingBehind() throws Exception {
    try (Workspace workspace = Workspace.create("bench")) {
      EngineBench bench = bench(workspace);
      int exit = bench.run("--rate", RATE, "--starts", 2, "--rounds", 1, "--seconds", 1);
      assertThat(exit).as(bench.said()).isZero();

      JsonNode result = bench.result();
      List<String> runs = new ArrayList<>();
      for (JsonNode run : result.get("runs")) {
        runs.add(run.get("round").asInt() + " " + run.get("variant").asText());
        assertThat(run.at("/latency/records").asInt())
            .as("all of a second, whatever was late")
            .isBetween(RATE / 3, 2 * RATE);
        assertThat(run.at("/latency/send_lag_p99_us").asDouble()).isPositive();
        assertThat(run.at("/latency/segments").asInt()).isZero();
        assertThat(run.at("/roll/p999_us").asDouble()).isPositive();
        assertThat(run.at("/produce/records_per_second").asDouble()).isPositive();
        assertThat(run.at("/produce/broker_cpu_us_per_record").asDouble()).isPositive();
        assertThat(run.at("/consume/records").asLong()).isPositive();
        assertThat(run.at("/consume/bytes_per_second").asDouble()).isPositive();
        assertThat(run.at("/overflow_segments").asInt()).isZero();
      }
      assertThat(runs)
          .containsExactly("1 headpond", "1 vanilla-disk", "2 headpond", "2 vanilla-disk");
      for (JsonNode comparison : result.get("comparisons")) {
        if (comparison.get("variant").asText().equals("vanilla-disk")) {
          assertThat(comparison.at("/headpond_ratio/median").asDouble())
              .as(comparison.toString())
              .isPositive();
        }
      }
      boolean memory = Files.getFileStore(bench.fast()).type().equals("tmpfs");
      assertThat(result.get("fast_tier_volatile").asBoolean()).isEqualTo(memory);
      assertThat(bench.said()).contains("produce, records/s", "vanilla-disk");
      assertThat(bench.said().contains("VOLATILE")).isEqualTo(memory);
      bench.assertNothingLeft();
    }
  }

  @Test
  void aBrokerThatDiesMakesTheRunInvalid() throws Exception {
    try (Workspace workspace = Workspace.create("bench-dead-broker")) {
      EngineBench bench = bench(workspace);
      int exit =
          bench.runAndKill(
              List.of("/headpond-broker-1/"),
              "--measures",
              "latency",
              "--rate",
              RATE,
              "--starts",
              1,
              "--rounds",
              9);
      assertThat(exit).as(bench.said()).isEqualTo(1);
      assertThat(bench.said()).contains("the broker ended while it was measured");
      assertThat(bench.json()).doesNotExist();
      bench.assertNothingLeft();
    }
  }
}
