// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Command;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code headpond-lab run bookkeeper}, as short as it gets: that it measures, not how fast anything
 * is.
 */
@Tag("extra")
class BookKeeperBenchIT {

  /** A run of Headpond and the default in the same memory in folders of its own. */
  private record Bench(StringWriter text, Path fast, Path home, Path json) {

    static Bench in(Workspace workspace) throws IOException {
      return new Bench(
          new StringWriter(),
          workspace.tier("fast"),
          workspace.folder("home"),
          workspace.folder("out").resolve("bench.json"));
    }

    int run(String... options) {
      Stream<Object> all =
          Stream.of(
              "run",
              "bookkeeper",
              "--fast",
              fast,
              "--home",
              home,
              "--json",
              json,
              "--sizes",
              "1KiB",
              "--compare",
              "default-fast",
              "--seconds",
              2,
              "--warm-up-seconds",
              1);
      return Command.lab(text, Stream.concat(all, Stream.of(options)).toArray());
    }

    JsonNode result() throws IOException {
      return new ObjectMapper().readTree(Files.readString(json));
    }

    void assertNothingLeft() throws Exception {
      assertThat(fast).isEmptyDirectory();
      assertThat(home).isEmptyDirectory();
      Await.until(
          "no process is left",
          () -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
    }
  }

  @Test
  void everyStartMeasuresEveryWindowAndIsGoneThen() throws Exception {
    try (Workspace workspace = Workspace.create("bench-bookkeeper")) {
      Bench bench = Bench.in(workspace);
      int exit = bench.run("--windows", "1,16", "--starts", "2", "--rounds", "1");
      assertThat(exit).as(bench.text.toString()).isZero();
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
      Bench bench = Bench.in(workspace);
      CompletableFuture<Integer> run =
          CompletableFuture.supplyAsync(
              () -> bench.run("--windows", "16", "--starts", "1", "--rounds", "2"));
      Await.until(
          "a turn has ended", () -> bench.text.toString().contains("round 1") || run.isDone());
      ProcessHandle bookie =
          ProcessHandle.current()
              .descendants()
              .filter(process -> command(process).contains("bookkeeper.server.Main"))
              .filter(process -> command(process).contains("/headpond/bookie/"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(bench.text.toString()));
      bookie.destroyForcibly();
      assertThat(run.get()).as(bench.text.toString()).isEqualTo(1);
      assertThat(bench.text.toString()).contains("; FAILED: ", "NOT VALID: ");
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

  /** Of a process that has ended, empty. */
  private static String command(ProcessHandle process) {
    try {
      // ProcessHandle.Info cuts a long class path off.
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException e) {
      return "";
    }
  }
}
