// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

  @Test
  void aBookiesLatencyOverTheRateIsACurve() throws Exception {
    ShortBench result =
        ShortBench.of(
            "latency", "--engine", "bookkeeper", "--rates", "100,300", "--compare", "default-disk");
    for (String rate : List.of("100/s", "300/s")) {
      for (String variant : List.of("headpond", "default-disk")) {
        JsonNode p99 = result.figure("1 KiB messages, " + rate, "latency_p99", variant);
        assertThat(p99.at("/values/0").asDouble()).as(p99.toString()).isPositive();
      }
    }
    assertThat(
            result
                .figure("1 KiB messages, 100/s", "messages", "headpond")
                .at("/values/0")
                .asDouble())
        .isBetween(95.0, 110.0);
    assertThat(result.at("/curves/0/lines")).hasSize(2);
    assertThat(result.at("/curves/0/lines/0/x")).hasSize(2);
  }

  @Test
  void aBrokersThroughputIsSearchedUnderALimitBesideABacklog() throws Exception {
    ShortBench result =
        ShortBench.of(
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
    assertThat(result.figure(load, "messages", "headpond").at("/values/0").asDouble()).isPositive();
    assertThat(result.figure(load, "replay", "headpond").at("/values/0").asDouble()).isPositive();
    assertThat(result.at("/searches")).hasSize(2);
    for (JsonNode search : result.at("/searches")) {
      assertThat(search.at("/search/steps")).isNotEmpty();
      assertThat(search.at("/search/per_second").asDouble()).as(search.toString()).isPositive();
    }
    JsonNode series = result.at("/points/0/figures/series/0");
    assertThat(series.get("per_second").asDouble()).isPositive();
    assertThat(series.get("tier_used_bytes").asLong()).isPositive();
  }

  @Test
  void producersAndConsumersOfABrokerWorkAloneAndTogether() throws Exception {
    ShortBench result =
        ShortBench.of(
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
    assertThat(result.at("/points")).hasSize(6);
    String large = "240000 B messages, ";
    assertThat(
            List.of(
                result.figure(large + "full speed, 3 producers", "bytes", "headpond"),
                result.figure(large + "full speed, 3 producers, 2 consumers", "bytes", "headpond"),
                result.figure(large + "2 consumers, 64 MiB", "replay", "headpond")))
        .allSatisfy(figure -> assertThat(figure.at("/values/0").asDouble()).isPositive());
  }

  @Test
  void publishLatencyIsMeasuredBesideABacklogThatCameHome() throws Exception {
    ShortBench result =
        ShortBench.of(
            "isolation",
            "--engine",
            "kafka",
            "--rate",
            "200",
            "--backlog",
            "32MiB",
            "--compare",
            "vanilla-disk");
    assertThat(result.at("/points")).hasSize(4);
    String quiet = "1 KiB messages, 200/s, 1 producer, 1 consumer";
    String replay = quiet + ", 32 MiB of backlog read";
    for (String variant : List.of("headpond", "vanilla-disk")) {
      assertThat(
              List.of(
                  result.figure(quiet, "latency_p99", variant),
                  result.figure(replay, "latency_p99", variant),
                  result.figure(replay, "replay", variant),
                  result.figure(replay, "growth_p99", variant),
                  result.figure(replay, "growth_tail_p99", variant)))
          .allSatisfy(figure -> assertThat(figure.at("/values/0").asDouble()).isPositive());
    }
  }

  @Test
  void aSteadyLoadOutgrowsTheTierOrDoesNot() throws Exception {
    ShortBench result =
        ShortBench.of(
            "steady", "--tier", "64MiB", "--rate", "32MiB", "--retention", "0.4,3", "--wraps", "1");
    assertThat(result.at("/labels/0/name").asText()).isEqualTo("THROTTLED");
    String load = "16 KiB messages, 2,048/s, 1 producer, 1 consumer, the log keeps ";
    for (String retention : List.of("0.4x", "3x")) {
      for (String variant : List.of("headpond", "vanilla-disk")) {
        JsonNode p99 = result.figure(load + retention, "latency_p99", variant);
        assertThat(p99.at("/values/0").asDouble()).as(p99.toString()).isPositive();
      }
    }
    JsonNode small = result.figure(load + "0.4x", "tier_appends", "headpond");
    JsonNode large = result.figure(load + "3x", "tier_appends", "headpond");
    assertThat(small.at("/values/0").asDouble()).as(small.toString()).isGreaterThan(95);
    assertThat(large.at("/values/0").asDouble())
        .as(large.toString())
        .isBetween(1.0, small.at("/values/0").asDouble());
    assertThat(result.figure(load + "3x", "migrated", "headpond").at("/values/0").asDouble())
        .isPositive();
    assertThat(result.figure(load + "3x", "tier_reads", "headpond").at("/values/0").asDouble())
        .isBetween(1.0, 100.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2-2-2", "3-3-2"})
  void publishingGoesOnWhileABookieOfThreeIsDead(String quorum) throws Exception {
    ShortBench result =
        ShortBench.of(
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
      JsonNode gap = result.figure(load, "dead_gap", variant);
      assertThat(gap.at("/values/0").asDouble()).as(gap.toString()).isBetween(0.0, 3_000.0);
      assertThat(
              List.of(
                  result.figure(load, "dead_p99", variant),
                  result.figure(load, "growth_p99", variant),
                  result.figure(load, "return", variant)))
          .allSatisfy(figure -> assertThat(figure.at("/values/0").asDouble()).isPositive());
    }
    for (JsonNode turn : result.at("/turns")) {
      // Ramp, before, dead, after: those at least, and all of them were read back.
      assertThat(turn.get("acknowledged").asLong()).isGreaterThan(200 * (5 + 2 + 4 + 2) * 9 / 10);
      assertThat(turn.get("victim").asInt()).isBetween(1, 3);
    }
  }
}
