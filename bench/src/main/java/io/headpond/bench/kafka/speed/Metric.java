// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A figure by which variants are compared. */
public enum Metric {
  /** Acknowledged at full speed. */
  PRODUCE_RECORDS("produce", "records/s", true, RunFigures::produce, f -> f.recordsPerSecond()),
  /** Acknowledged at full speed. */
  PRODUCE_BYTES("produce", "MB/s", true, RunFigures::produce, f -> f.bytesPerSecond() / 1e6),
  /** Of the broker at full speed. */
  PRODUCE_CPU(
      "produce, broker CPU",
      "µs/record",
      false,
      RunFigures::produce,
      f -> f.brokerCpuUsPerRecord()),
  /** Of the client at full speed. */
  PRODUCE_CLIENT_CPU(
      "produce, load generator CPU",
      "µs/record",
      false,
      RunFigures::produce,
      f -> f.loadGeneratorCpuUsPerRecord()),
  /** From when it was due. */
  LATENCY_P50("latency P50", "ms", false, RunFigures::latency, f -> f.p50Us() / 1e3),
  /** From when it was due. */
  LATENCY_P99("latency P99", "ms", false, RunFigures::latency, f -> f.p99Us() / 1e3),
  /** From when it was due. */
  LATENCY_P999("latency P99.9", "ms", false, RunFigures::latency, f -> f.p999Us() / 1e3),
  /** Of the broker at the fixed rate: all variants do the same work. */
  LATENCY_CPU(
      "at that rate, broker CPU",
      "µs/record",
      false,
      RunFigures::latency,
      f -> f.brokerCpuUsPerRecord()),
  /** With small segments. */
  ROLL_P50("rolling, latency P50", "ms", false, RunFigures::roll, f -> f.p50Us() / 1e3),
  /** With small segments. */
  ROLL_P99("rolling, latency P99", "ms", false, RunFigures::roll, f -> f.p99Us() / 1e3),
  /** With small segments. */
  ROLL_P999("rolling, latency P99.9", "ms", false, RunFigures::roll, f -> f.p999Us() / 1e3),
  /** With small segments. */
  ROLL_MAX("rolling, latency max", "ms", false, RunFigures::roll, f -> f.maxUs() / 1e3),
  /** From the page cache. */
  CONSUME_BYTES("consume", "MB/s", true, RunFigures::consume, f -> f.bytesPerSecond() / 1e6),
  /** Of the broker while it is read from. */
  CONSUME_CPU(
      "consume, broker CPU", "µs/MiB", false, RunFigures::consume, f -> f.brokerCpuUsPerMib());

  private final String title;
  private final String unit;
  private final boolean moreIsBetter;
  private final ToDoubleFunction<RunFigures> value;

  <F> Metric(
      String title,
      String unit,
      boolean moreIsBetter,
      Function<RunFigures, F> phase,
      ToDoubleFunction<F> value) {
    this.title = title;
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
    this.value =
        run -> {
          F figures = phase.apply(run);
          return figures == null ? Double.NaN : value.applyAsDouble(figures);
        };
  }

  /** Its name in results. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a table calls it. */
  public String title() {
    return title;
  }

  /** Unit of its values. */
  public String unit() {
    return unit;
  }

  /** Whether a ratio above 1 speaks for the first of the two. */
  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  /** Its value in one run; NaN where the run didn't measure it. */
  public double of(RunFigures run) {
    return value.applyAsDouble(run);
  }
}
