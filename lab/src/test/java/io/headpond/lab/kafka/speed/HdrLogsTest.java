// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.HistogramLogs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdrLogsTest {
  private static final CpuTime CPU = new CpuTime(Duration.ofSeconds(2), Duration.ofSeconds(1));

  @TempDir Path root;

  private static RunFigures run(int round, Variant variant, long latencyNanos, boolean rolling) {
    Histogram latency = new Histogram(3);
    latency.recordValue(latencyNanos);
    latency.setStartTimeStamp(1_000_000 + 10_000L * round);
    latency.setEndTimeStamp(1_004_000 + 10_000L * round);
    LatencyFigures figures = LatencyFigures.of(100, latency, latency, CPU);
    return new RunFigures(
        new Load(1024, "all", "lz4"),
        round,
        variant,
        figures,
        rolling ? figures.withSegments(3) : null,
        null,
        null,
        0,
        0);
  }

  @Test
  void eachVariantAndPhaseHasALogWithAnIntervalForEachRound() throws IOException {
    HistogramLogs.write(
        root,
        HdrLogs.of(
            List.of(
                run(1, Variant.HEADPOND, 5_000, true),
                run(1, Variant.VANILLA_DISK, 7_000, false),
                run(2, Variant.HEADPOND, 9_000, true),
                run(2, Variant.VANILLA_DISK, 8_000, false))));
    assertThat(root.toFile().list())
        .containsExactlyInAnyOrder(
            "1024B-acks-all-lz4-headpond-latency.hlog",
            "1024B-acks-all-lz4-headpond-roll.hlog",
            "1024B-acks-all-lz4-vanilla-disk-latency.hlog");
    Path log = root.resolve("1024B-acks-all-lz4-headpond-latency.hlog");
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      Histogram first = (Histogram) reader.nextIntervalHistogram();
      Histogram second = (Histogram) reader.nextIntervalHistogram();
      assertThat(first.getMaxValue()).isBetween(4_990L, 5_010L);
      assertThat(second.getMaxValue()).isBetween(8_980L, 9_020L);
      assertThat(second.getStartTimeStamp() - first.getStartTimeStamp()).isEqualTo(10_000);
      assertThat(reader.nextIntervalHistogram()).isNull();
    }
  }

  @Test
  void theHistogramIsNotInTheJson() throws IOException {
    String json =
        new ObjectMapper().writeValueAsString(run(1, Variant.HEADPOND, 5_000, true).latency());
    assertThat(json).contains("p99Us").doesNotContain("histogram", "maxValue");
  }
}
