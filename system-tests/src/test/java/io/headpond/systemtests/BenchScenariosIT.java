// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Scenarios that go across engines, as short as they get: that they measure, not how fast anything
 * is.
 */
@Tag("extra")
class BenchScenariosIT {

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
}
