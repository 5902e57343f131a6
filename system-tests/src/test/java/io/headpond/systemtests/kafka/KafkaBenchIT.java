// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.systemtests.Command;
import io.headpond.systemtests.Workspace;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The benchmark of Kafka, as short as it gets: that it measures, not how fast anything is. */
@Tag("extra")
class KafkaBenchIT {

  @Test
  void aShortRunComparesAllMetricsAndLeavesNothingBehind() throws Exception {
    try (Workspace workspace = Workspace.create("bench")) {
      Path fast = workspace.tier("fast");
      Path home = workspace.folder("home");
      Path json = workspace.folder("out").resolve("bench.json");
      StringWriter text = new StringWriter();
      int exit =
          Command.lab(
              text,
              "run",
              "kafka",
              "--sizes",
              "1KiB",
              "--starts",
              1,
              "--rounds",
              1,
              "--seconds",
              1,
              "--warm-up-seconds",
              1,
              "--rate",
              500,
              "--compare",
              "vanilla-disk",
              "--fast",
              fast,
              "--home",
              home,
              "--json",
              json);
      assertThat(exit).as(text.toString()).isZero();

      JsonNode result = new ObjectMapper().readTree(Files.readString(json));
      assertThat(result.get("runs")).hasSize(2);
      for (JsonNode run : result.get("runs")) {
        assertThat(run.at("/latency/records").asLong()).isEqualTo(500);
        assertThat(run.at("/roll/p999_us").asDouble()).isPositive();
        assertThat(run.at("/produce/records_per_second").asDouble()).isPositive();
        assertThat(run.at("/produce/broker_cpu_us_per_record").asDouble()).isPositive();
        assertThat(run.at("/consume/bytes_per_second").asDouble()).isPositive();
        assertThat(run.at("/overflow_segments").asInt()).isZero();
      }
      for (JsonNode comparison : result.get("comparisons")) {
        if (comparison.get("variant").asText().equals("vanilla-disk")) {
          assertThat(comparison.at("/headpond_ratio/median").asDouble())
              .as(comparison.toString())
              .isPositive();
        }
      }
      boolean memory = Files.getFileStore(fast).type().equals("tmpfs");
      assertThat(result.get("fast_tier_volatile").asBoolean()).isEqualTo(memory);
      assertThat(text.toString()).contains("produce, records/s", "vanilla-disk");
      assertThat(text.toString().contains("VOLATILE")).isEqualTo(memory);
      assertThat(fast).isEmptyDirectory();
      assertThat(home).isEmptyDirectory();
    }
  }

  @Test
  void whatCannotBeComparedIsRefusedBeforeAnythingStarts() throws Exception {
    try (Workspace workspace = Workspace.create("bench-refused")) {
      Path folder = workspace.folder("disk");
      StringWriter text = new StringWriter();
      int exit =
          Command.lab(
              text,
              "run",
              "kafka",
              "--compare",
              "vanilla-tmpfs",
              "--fast",
              folder,
              "--home",
              folder);
      assertThat(exit).isEqualTo(1);
      assertThat(text.toString()).contains("vanilla-tmpfs needs tmpfs");
      assertThat(folder).isEmptyDirectory();
    }
  }
}
