// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.console.Json;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Results as the benchmarks write them, with figures that a test chooses. */
final class Results {
  static final BenchMachine MACHINE =
      new BenchMachine("Processor 1", 2, 8L << 30, true, "Linux 6.1", "amd64");
  static final Label VOLATILE = new Label("VOLATILE", "/dev/shm: tmpfs is memory");

  private Results() {}

  static BenchResult of(
      String bench, Map<String, String> settings, List<Figure> figures, Curve... curves) {
    return new BenchResult(
        "headpond-bench-" + bench + "/1",
        "headpond-lab run " + bench + " --seconds 2",
        "0.1.0",
        "2026-11-21T10:00:00Z",
        61.5,
        MACHINE,
        Map.of("java", "17"),
        settings,
        Map.of("fast", "/dev/shm (tmpfs, VOLATILE)"),
        List.of(VOLATILE),
        figures,
        List.of(curves));
  }

  /** Of {@code run kafka}, with settings that don't matter. */
  static BenchResult kafka(List<Figure> figures) {
    return of("kafka", Map.of("seconds", "2"), figures);
  }

  /** The same with one label more. */
  static BenchResult labelled(BenchResult result, Label label) {
    return new BenchResult(
        result.schema(),
        result.command(),
        result.headpond(),
        result.started(),
        result.durationSeconds(),
        result.machine(),
        result.versions(),
        result.settings(),
        result.devices(),
        List.of(VOLATILE, label),
        result.figures(),
        result.curves());
  }

  /** Headpond's throughput and its baseline's, under one load. */
  static List<Figure> produce(double[] headpond, double[] vanilla) {
    return List.of(
        figure("produce_records", true, "headpond", headpond, "vanilla-tmpfs"),
        figure("produce_records", true, "vanilla-tmpfs", vanilla));
  }

  static Figure figure(
      String metric, boolean moreIsBetter, String variant, double[] values, String... ratioTo) {
    return new Figure(
        "1 KiB records",
        metric,
        metric.replace('_', ' '),
        moreIsBetter ? "records/s" : "ms",
        moreIsBetter,
        variant,
        Arrays.stream(values).boxed().toList(),
        List.of(ratioTo));
  }

  static Path write(Path file, BenchResult result) throws IOException {
    Json.write(file, result);
    return file;
  }
}
