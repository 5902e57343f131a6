// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenarios that go across engines, as short as they get: that they measure, not how fast anything
 * is.
 */
@Tag("extra")
class BenchScenariosIT {

  private static JsonNode measured(String name, Object... arguments) throws Exception {
    try (Workspace workspace = Workspace.create("bench-" + name)) {
      Path fast = workspace.tier("fast");
      Path home = workspace.folder("home");
      Path json = workspace.folder("out").resolve("bench.json");
      List<Object> all = new ArrayList<>(List.of("bench", name, "--rounds", 1));
      all.addAll(List.of(arguments));
      if (!name.equals("failure")) {
        all.addAll(List.of("--warm-up-seconds", 1));
      }
      if (!List.of("steady", "failure").contains(name)) {
        all.addAll(List.of("--seconds", 1));
      }
      Path hdr = workspace.folder("hdr");
      all.addAll(List.of("--fast", fast, "--home", home, "--json", json, "--hdr", hdr));
      StringWriter text = new StringWriter();
      assertThat(Command.run(text, all.toArray())).as(text.toString()).isZero();
      assertThat(fast).isEmptyDirectory();
      assertThat(home).isEmptyDirectory();
      Await.until(
          "no process is left",
          () -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
      return new ObjectMapper().readTree(Files.readString(json));
    }
  }

  private static JsonNode figure(JsonNode result, String load, String metric, String variant) {
    for (JsonNode figure : result.get("figures")) {
      if (figure.get("load").asText().startsWith(load)
          && figure.get("metric").asText().equals(metric)
          && figure.get("variant").asText().equals(variant)) {
        return figure;
      }
    }
    throw new AssertionError(load + ", " + metric + ", " + variant + " isn't in " + result);
  }

  @Test
  void aBookiesLatencyOverTheRateIsACurve() throws Exception {
    JsonNode result =
        measured(
            "latency", "--engine", "bookkeeper", "--rates", "100,300", "--compare", "default-disk");
    for (String rate : List.of("100/s", "300/s")) {
      for (String variant : List.of("headpond", "default-disk")) {
        JsonNode p99 = figure(result, "1 KiB messages, " + rate, "latency_p99", variant);
        assertThat(p99.at("/values/0").asDouble()).as(p99.toString()).isPositive();
      }
    }
    assertThat(
            figure(result, "1 KiB messages, 100/s", "messages", "headpond")
                .at("/values/0")
                .asDouble())
        .isBetween(95.0, 110.0);
    assertThat(result.at("/curves/0/lines")).hasSize(2);
    assertThat(result.at("/curves/0/lines/0/x")).hasSize(2);
  }

  @Test
  void aBrokersThroughputIsSearchedUnderALimitBesideABacklog() throws Exception {
    JsonNode result =
        measured(
            "throughput",
            "--engine",
            "kafka",
            "--sizes",
            "4KiB",
            "--sla",
            "p50<1s",
            "--backlog",
            "64MiB",
            "--compare",
            "vanilla-disk");
    String load = "4 KiB messages, full speed";
    assertThat(figure(result, load, "messages", "headpond").at("/values/0").asDouble())
        .isPositive();
    assertThat(figure(result, load, "replay", "headpond").at("/values/0").asDouble()).isPositive();
    assertThat(result.get("searches")).hasSize(2);
    for (JsonNode search : result.get("searches")) {
      assertThat(search.at("/search/steps")).isNotEmpty();
      assertThat(search.at("/search/per_second").asDouble()).as(search.toString()).isPositive();
    }
    JsonNode series = result.at("/points/0/figures/series/0");
    assertThat(series.get("per_second").asDouble()).isPositive();
    assertThat(series.get("tier_used_bytes").asLong()).isPositive();
  }

  @Test
  void producersAndConsumersOfABrokerWorkAloneAndTogether() throws Exception {
    JsonNode result =
        measured(
            "ingest",
            "--engine",
            "kafka",
            "--sizes",
            "240000B",
            "--producers",
            "3",
            "--backlog",
            "64MiB",
            "--compare",
            "vanilla-disk");
    assertThat(result.get("points")).hasSize(6);
    String large = "240000 B messages, ";
    assertThat(
            List.of(
                figure(result, large + "full speed, 3 producers", "bytes", "headpond"),
                figure(result, large + "full speed, 3 producers, 2 consumers", "bytes", "headpond"),
                figure(result, large + "2 consumers, 64 MiB", "replay", "headpond")))
        .allSatisfy(figure -> assertThat(figure.at("/values/0").asDouble()).isPositive());
  }

  @Test
  void publishLatencyIsMeasuredBesideABacklogThatCameHome() throws Exception {
    JsonNode result =
        measured(
            "isolation",
            "--engine",
            "kafka",
            "--rate",
            "200",
            "--backlog",
            "32MiB",
            "--compare",
            "vanilla-disk");
    assertThat(result.get("points")).hasSize(4);
    String quiet = "1 KiB messages, 200/s, 1 producer";
    String replay = quiet + ", 32 MiB of backlog read";
    for (String variant : List.of("headpond", "vanilla-disk")) {
      assertThat(
              List.of(
                  figure(result, quiet, "latency_p99", variant),
                  figure(result, replay, "latency_p99", variant),
                  figure(result, replay, "replay", variant),
                  figure(result, replay, "growth_p99", variant)))
          .allSatisfy(figure -> assertThat(figure.at("/values/0").asDouble()).isPositive());
    }
  }

  @Test
  void aSteadyLoadOutgrowsTheTierOrDoesNot() throws Exception {
    JsonNode result =
        measured(
            "steady", "--tier", "64MiB", "--rate", "32MiB", "--retention", "0.4,3", "--wraps", "1");
    assertThat(result.at("/labels/0/name").asText()).isEqualTo("THROTTLED");
    String load = "16 KiB messages, 2,048/s, 1 producer, 1 consumer, the log keeps ";
    for (String retention : List.of("0.4x", "3x")) {
      for (String variant : List.of("headpond", "vanilla-disk")) {
        JsonNode p99 = figure(result, load + retention, "latency_p99", variant);
        assertThat(p99.at("/values/0").asDouble()).as(p99.toString()).isPositive();
      }
    }
    JsonNode small = figure(result, load + "0.4x", "tier_appends", "headpond");
    JsonNode large = figure(result, load + "3x", "tier_appends", "headpond");
    assertThat(small.at("/values/0").asDouble()).as(small.toString()).isGreaterThan(95);
    assertThat(large.at("/values/0").asDouble())
        .as(large.toString())
        .isBetween(1.0, small.at("/values/0").asDouble());
    assertThat(figure(result, load + "3x", "migrated", "headpond").at("/values/0").asDouble())
        .isPositive();
    assertThat(figure(result, load + "3x", "tier_reads", "headpond").at("/values/0").asDouble())
        .isBetween(1.0, 100.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2-2-2", "3-3-2"})
  void publishingGoesOnWhileABookieOfThreeIsDead(String quorum) throws Exception {
    JsonNode result =
        measured(
            "failure",
            "--engine",
            "bookkeeper",
            "--quorum",
            quorum,
            "--compare",
            "default-disk",
            "--rate",
            "200",
            "--before-seconds",
            "2",
            "--dead-seconds",
            "4",
            "--after-seconds",
            "2");
    String load = "200 messages/s of 1024 B, quorum " + quorum + ", 3 bookies";
    for (String variant : List.of("headpond", "default-disk")) {
      JsonNode gap = figure(result, load, "dead_gap", variant);
      assertThat(gap.at("/values/0").asDouble()).as(gap.toString()).isBetween(0.0, 3_000.0);
      assertThat(
              List.of(
                  figure(result, load, "dead_p99", variant),
                  figure(result, load, "growth_p99", variant),
                  figure(result, load, "return", variant)))
          .allSatisfy(figure -> assertThat(figure.at("/values/0").asDouble()).isPositive());
    }
    for (JsonNode turn : result.get("turns")) {
      // Ramp, before, dead, after: those at least, and all of them were read back.
      assertThat(turn.get("acknowledged").asLong()).isGreaterThan(200 * (5 + 2 + 4 + 2) * 9 / 10);
      assertThat(turn.get("victim").asInt()).isBetween(1, 3);
    }
  }
}
