// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headpond.cli.console.Json;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.HistogramLogs;
import io.headpond.lab.results.Label;
import io.headpond.lab.scenario.PointFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBenchResultTest {

  @TempDir Path root;

  /** With all phases, if it rolls, or at a rate alone. */
  private static KafkaTurn turn(
      int round, Variant variant, long latencyUs, boolean rolling, int overflowed) {
    Histogram latency = KafkaTurnTest.histogram(latencyUs);
    latency.setStartTimeStamp(1_000_000 + 10_000L * round);
    latency.setEndTimeStamp(1_004_000 + 10_000L * round);
    PointFigures figures = KafkaTurnTest.figures(200, latency, latency);
    KafkaTurn.FullSpeed fullSpeed = rolling ? KafkaTurn.FullSpeed.of(figures, false) : null;
    return new KafkaTurn(
        KafkaTurnTest.LOAD,
        round,
        variant,
        KafkaTurn.Paced.of(100, figures, 1, 0),
        rolling ? KafkaTurn.Paced.of(100, figures, 1, 3) : null,
        fullSpeed,
        fullSpeed,
        overflowed,
        0.25,
        null);
  }

  private static List<Comparison<KafkaTurn.Load, Variant>> comparisons(List<KafkaTurn> turns) {
    return Comparison.of(turns, KafkaTurn.METRICS, Variant.HEADPOND);
  }

  private static JsonNode json(KafkaTurn... turns) {
    List<KafkaTurn> all = List.of(turns);
    return Json.tree(
        new KafkaBenchResult(
            "4.3.1",
            17,
            17,
            2,
            true,
            1,
            1,
            4,
            30,
            4,
            2,
            0,
            Map.of("headpond", "in memory"),
            all,
            comparisons(all)));
  }

  /** A key is never renamed: what reads older results reads these. */
  @Test
  void theKeysStay() {
    JsonNode document =
        json(turn(1, Variant.HEADPOND, 5, true, 0), turn(1, Variant.VANILLA_DISK, 7, true, 0));
    assertThat(JsonKeys.of(document))
        .containsExactlyInAnyOrder(
            "kafka",
            "broker_java",
            "load_generator_java",
            "processors",
            "fast_tier_volatile",
            "starts",
            "rounds",
            "seconds",
            "warm_up_seconds",
            "partitions",
            "producers",
            "window",
            "variants",
            "variants.headpond",
            "runs",
            "runs.load",
            "runs.load.record_bytes",
            "runs.load.acks",
            "runs.load.compression",
            "runs.round",
            "runs.variant",
            "runs.latency",
            "runs.latency.rate_per_second",
            "runs.latency.records",
            "runs.latency.p50_us",
            "runs.latency.p99_us",
            "runs.latency.p999_us",
            "runs.latency.max_us",
            "runs.latency.send_lag_p99_us",
            "runs.latency.broker_cpu_us_per_record",
            "runs.latency.load_generator_cpu_us_per_record",
            "runs.latency.disk_bytes_per_byte",
            "runs.latency.segments",
            "runs.roll",
            "runs.roll.rate_per_second",
            "runs.roll.records",
            "runs.roll.p50_us",
            "runs.roll.p99_us",
            "runs.roll.p999_us",
            "runs.roll.max_us",
            "runs.roll.send_lag_p99_us",
            "runs.roll.broker_cpu_us_per_record",
            "runs.roll.load_generator_cpu_us_per_record",
            "runs.roll.disk_bytes_per_byte",
            "runs.roll.segments",
            "runs.produce",
            "runs.produce.seconds",
            "runs.produce.records",
            "runs.produce.records_per_second",
            "runs.produce.bytes_per_second",
            "runs.produce.broker_cpu_us_per_record",
            "runs.produce.load_generator_cpu_us_per_record",
            "runs.produce.broker_cpu_us_per_mib",
            "runs.consume",
            "runs.consume.seconds",
            "runs.consume.records",
            "runs.consume.records_per_second",
            "runs.consume.bytes_per_second",
            "runs.consume.broker_cpu_us_per_record",
            "runs.consume.load_generator_cpu_us_per_record",
            "runs.consume.broker_cpu_us_per_mib",
            "runs.overflow_segments",
            "runs.other_cpu_share",
            "comparisons",
            "comparisons.load",
            "comparisons.load.record_bytes",
            "comparisons.load.acks",
            "comparisons.load.compression",
            "comparisons.metric",
            "comparisons.unit",
            "comparisons.more_is_better",
            "comparisons.variant",
            "comparisons.value",
            "comparisons.value.min",
            "comparisons.value.median",
            "comparisons.value.max",
            "comparisons.value.values",
            "comparisons.headpond_ratio",
            "comparisons.headpond_ratio.min",
            "comparisons.headpond_ratio.median",
            "comparisons.headpond_ratio.max",
            "comparisons.headpond_ratio.values");
  }

  @Test
  void aPhaseThatWasNotMeasuredIsNull() {
    JsonNode run = json(turn(1, Variant.HEADPOND, 5, false, 0)).at("/runs/0");
    assertThat(run.at("/latency/records").asLong()).isEqualTo(1);
    assertThat(run.get("roll").isNull()).isTrue();
    assertThat(run.get("produce").isNull()).isTrue();
  }

  @Test
  void aFigureIsNamedByItsLoad() {
    List<Figure> figures =
        Figure.of(
            comparisons(List.of(turn(1, Variant.HEADPOND, 5, true, 0))),
            KafkaTurn.METRICS,
            KafkaBenchTable::text);
    assertThat(figures)
        .extracting(Figure::load)
        .containsOnly("1 KiB records, acks=all, compression lz4");
    assertThat(figures)
        .extracting(figure -> figure.metric() + " " + figure.unit())
        .containsExactly(
            "produce_records records/s",
            "produce_bytes MB/s",
            "produce_cpu µs/record",
            "produce_client_cpu µs/record",
            "latency_p50 ms",
            "latency_p99 ms",
            "latency_p999 ms",
            "latency_cpu µs/record",
            "latency_written B/B",
            "roll_p50 ms",
            "roll_p99 ms",
            "roll_p999 ms",
            "roll_max ms",
            "roll_written B/B",
            "consume_bytes MB/s",
            "consume_cpu µs/MiB");
  }

  @Test
  void segmentsThatOverflowedMakeTheRunsIncomparable() {
    KafkaTurn full = turn(1, Variant.HEADPOND, 5, true, 2);
    assertThat(KafkaBenchResult.labels(List.of(full)))
        .containsExactly(
            new Label("NOT COMPARABLE", "2 segments overflowed, the tier was too small"));
    assertThat(KafkaBenchResult.labels(List.of(turn(1, Variant.HEADPOND, 5, true, 0)))).isEmpty();
  }

  @Test
  void aLineHasEachPhaseAndTheRolls() {
    assertThat(KafkaBenchTable.line(turn(7, Variant.HEADPOND, 2_000, true, 0)))
        .isEqualTo(
            "round 7, 1 KiB records, acks=all, compression lz4, headpond:"
                + " latency P50 2.00 P99 2.00 P99.9 2.00 max 2.00 ms;"
                + " rolling P50 2.00 P99 2.00 P99.9 2.00 max 2.00 ms (3 rolls);"
                + " produce 100 records/s, 0 MB/s; consume 100 records/s, 0 MB/s");
  }

  @Test
  void eachVariantAndPhaseHasALogWithAnIntervalForEachRound() throws IOException {
    HistogramLogs.write(
        root,
        KafkaBenchResult.latencies(
            List.of(
                turn(1, Variant.HEADPOND, 5, true, 0),
                turn(1, Variant.VANILLA_DISK, 7, false, 0),
                turn(2, Variant.HEADPOND, 9, true, 0),
                turn(2, Variant.VANILLA_DISK, 8, false, 0))));
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
}
