// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.speed;

import io.headpond.lab.comparison.Metric;
import java.util.List;

/** The figures by which variants are compared. */
public final class TurnMetrics {

  /** In the order of a table; latencies go from sending to acknowledgement. */
  public static final List<Metric<TurnFigures>> ALL =
      List.of(
          new Metric<>("adds", "throughput", "adds/s", true, TurnFigures::addsPerSecond),
          new Metric<>("latency_p50", "latency P50", "µs", false, TurnFigures::p50Us),
          new Metric<>("latency_p99", "latency P99", "µs", false, TurnFigures::p99Us),
          new Metric<>("latency_p999", "latency P99.9", "µs", false, TurnFigures::p999Us),
          new Metric<>("bookie_cpu", "bookie CPU", "µs/add", false, TurnFigures::bookieCpuUsPerAdd),
          // That of the client, which is the same for all.
          new Metric<>(
              "client_cpu", "client CPU", "µs/add", false, TurnFigures::clientCpuUsPerAdd));

  private TurnMetrics() {}
}
