// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.systemtests.ShortBench;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scenarios with real Pulsars, as short as they get: that they measure, not how fast it is. */
@Tag("pulsar")
class PulsarBenchIT {

  private static final List<String> VARIANTS = List.of("headpond", "default-fast", "default-disk");

  @Test
  void latencyOverTheRateIsACurveOfEachVariant() throws Exception {
    ShortBench result = ShortBench.of("latency", "--engine", "pulsar", "--rates", "100,300");
    for (String variant : VARIANTS) {
      for (String rate : List.of("100/s", "300/s")) {
        String load = "1 KiB messages, " + rate + ", 1 producer";
        assertThat(result.value(load, "latency_p99", variant)).isPositive();
        assertThat(result.value(load, "engine_cpu", variant)).isPositive();
      }
      assertThat(result.value("1 KiB messages, 100/s", "messages", variant)).isBetween(95.0, 110.0);
    }
    assertThat(result.at("/curves/0/lines")).hasSize(VARIANTS.size());
    assertThat(result.at("/versions/pulsar").asText()).startsWith("4.2");
  }
}
