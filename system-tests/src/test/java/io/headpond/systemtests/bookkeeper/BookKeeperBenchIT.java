// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headpond.systemtests.EngineBench;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code headpond-lab run bookkeeper}, as short as it gets: that it measures, not how fast anything
 * is.
 */
@Tag("extra")
class BookKeeperBenchIT {

  private static EngineBench bench(Workspace workspace) throws IOException {
    return EngineBench.of(
        workspace,
        "bookkeeper",
        "--sizes",
        "1KiB",
        "--compare",
        "default-fast",
        "--seconds",
        2,
        "--warm-up-seconds",
        1);
  }

  @Test
  void everyStartMeasuresEveryWindowAndIsGoneThen() throws Exception {
    try (Workspace workspace = Workspace.create("bench-bookkeeper")) {
      EngineBench bench = bench(workspace);
      int exit = bench.run("--windows", "1,16", "--starts", "2", "--rounds", "1");
      assertThat(exit).as(bench.said()).isZero();
      List<String> turns = new ArrayList<>();
      for (JsonNode turn : bench.result().get("turns")) {
        assertThat(turn.get("adds").asLong()).as(turn.toString()).isPositive();
        assertThat(turn.get("p50_us").asDouble()).as(turn.toString()).isPositive();
        assertThat(turn.get("bookie_cpu_us_per_add").asDouble()).isPositive();
        assertThat(turn.get("failures").asLong()).isZero();
        turns.add(
            turn.get("round").asInt()
                + " window "
                + turn.at("/point/window").asInt()
                + " "
                + turn.get("variant").asText());
      }
      assertThat(turns)
          .containsExactly(
              "1 window 1 headpond",
              "1 window 1 default-fast",
              "1 window 16 headpond",
              "1 window 16 default-fast",
              "2 window 1 default-fast",
              "2 window 1 headpond",
              "2 window 16 default-fast",
              "2 window 16 headpond");
      bench.assertNothingLeft();
    }
  }

  @Test
  void aBookieThatDiesMakesTheRunInvalid() throws Exception {
    try (Workspace workspace = Workspace.create("bench-dead-bookie")) {
      EngineBench bench = bench(workspace);
      int exit =
          bench.runAndKill(
              List.of("bookkeeper.server.Main", "/headpond/bookie/"),
              "--windows",
              16,
              "--starts",
              1,
              "--rounds",
              2);
      assertThat(exit).as(bench.said()).isEqualTo(1);
      assertThat(bench.said()).contains("; FAILED: ", "NOT VALID: ");
      JsonNode result = bench.result();
      assertThat(result.get("turns")).as("of two variants in two rounds").hasSize(4);
      assertThat(result.at("/labels/0/name").asText()).isEqualTo("NOT VALID");
      JsonNode dead = result.at("/turns/3");
      assertThat(dead.get("variant").asText()).isEqualTo("headpond");
      assertThat(dead.get("adds").asLong()).isZero();
      assertThat(dead.get("failures").asLong()).isPositive();
      assertThat(dead.get("bookie_cpu_us_per_add").asDouble()).isZero();
      bench.assertNothingLeft();
    }
  }
}
