// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.comparison.Comparison;
import io.headpond.bench.comparison.Curve;
import io.headpond.bench.comparison.Figure;
import io.headpond.bench.failure.FailureBench;
import io.headpond.bench.failure.FailureCurves;
import io.headpond.bench.failure.FailureMetrics;
import io.headpond.bench.failure.FailureSettings;
import io.headpond.bench.failure.FailureTurn;
import io.headpond.bench.kafka.speed.Variant;
import io.headpond.cli.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Brokers that die and come back, measured and shown. */
final class FailureMeasurement implements ProfileMeasurement {

  private final FailureSettings settings;
  private final List<FailureTurn> turns = new ArrayList<>();
  private String kafkaVersion;

  FailureMeasurement(FailureSettings settings) {
    this.settings = settings;
  }

  /** The JSON of this benchmark beside what all have: every turn sample by sample. */
  record Result(List<FailureTurn> turns, List<Curve> curves) {}

  @Override
  public boolean measure(PrintWriter out, Progress progress)
      throws IOException, InterruptedException {
    FailureTable table = new FailureTable(out, settings);
    try (FailureBench bench =
        new FailureBench(settings, new BenchScreen<>(out, progress, turns, FailureTable::line))) {
      kafkaVersion = bench.kafkaVersion();
      table.introduce(kafkaVersion);
      if (!new InterruptibleRun(bench).run(bench::run)) {
        return false;
      }
    }
    progress.clear();
    table.print(turns, comparisons());
    return true;
  }

  String kafkaVersion() {
    return kafkaVersion;
  }

  List<Comparison<String, Variant>> comparisons() {
    return Comparison.of(turns, FailureMetrics.ALL, Variant.HEADPOND);
  }

  @Override
  public List<Figure> figures() {
    return Figure.of(comparisons(), FailureMetrics.ALL, Function.identity());
  }

  @Override
  public Map<String, List<Histogram>> latencies() {
    return FailureMetrics.latencies(turns);
  }

  @Override
  public double othersShareMax() {
    return turns.stream().mapToDouble(FailureTurn::othersShare).max().orElse(0);
  }

  Result result() {
    return new Result(turns, FailureCurves.of(settings, turns));
  }
}
