// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.lab.comparison.Metric;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures by which variants are compared. */
public final class RunMetrics {

  /**
   * In the order of a table: at full speed; at a fixed rate, where all variants do the same work,
   * from when a record was due; the same with small segments; reading from the page cache.
   */
  public static final List<Metric<RunFigures>> ALL =
      List.of(
          more(
              "produce_records",
              "produce",
              "records/s",
              RunFigures::produce,
              f -> f.recordsPerSecond()),
          more(
              "produce_bytes",
              "produce",
              "MB/s",
              RunFigures::produce,
              f -> f.bytesPerSecond() / 1e6),
          less(
              "produce_cpu",
              "produce, broker CPU",
              "µs/record",
              RunFigures::produce,
              f -> f.brokerCpuUsPerRecord()),
          less(
              "produce_client_cpu",
              "produce, load generator CPU",
              "µs/record",
              RunFigures::produce,
              f -> f.loadGeneratorCpuUsPerRecord()),
          less("latency_p50", "latency P50", "ms", RunFigures::latency, f -> f.p50Us() / 1e3),
          less("latency_p99", "latency P99", "ms", RunFigures::latency, f -> f.p99Us() / 1e3),
          less("latency_p999", "latency P99.9", "ms", RunFigures::latency, f -> f.p999Us() / 1e3),
          less(
              "latency_cpu",
              "at that rate, broker CPU",
              "µs/record",
              RunFigures::latency,
              f -> f.brokerCpuUsPerRecord()),
          less("roll_p50", "rolling, latency P50", "ms", RunFigures::roll, f -> f.p50Us() / 1e3),
          less("roll_p99", "rolling, latency P99", "ms", RunFigures::roll, f -> f.p99Us() / 1e3),
          less(
              "roll_p999", "rolling, latency P99.9", "ms", RunFigures::roll, f -> f.p999Us() / 1e3),
          less("roll_max", "rolling, latency max", "ms", RunFigures::roll, f -> f.maxUs() / 1e3),
          more(
              "consume_bytes",
              "consume",
              "MB/s",
              RunFigures::consume,
              f -> f.bytesPerSecond() / 1e6),
          less(
              "consume_cpu",
              "consume, broker CPU",
              "µs/MiB",
              RunFigures::consume,
              f -> f.brokerCpuUsPerMib()));

  private RunMetrics() {}

  private static <P> Metric<RunFigures> more(
      String key,
      String title,
      String unit,
      Function<RunFigures, P> phase,
      ToDoubleFunction<P> value) {
    return new Metric<>(key, title, unit, true, ofPhase(phase, value));
  }

  private static <P> Metric<RunFigures> less(
      String key,
      String title,
      String unit,
      Function<RunFigures, P> phase,
      ToDoubleFunction<P> value) {
    return new Metric<>(key, title, unit, false, ofPhase(phase, value));
  }

  private static <P> ToDoubleFunction<RunFigures> ofPhase(
      Function<RunFigures, P> phase, ToDoubleFunction<P> value) {
    return run -> {
      P figures = phase.apply(run);
      return figures == null ? Double.NaN : value.applyAsDouble(figures);
    };
  }
}
