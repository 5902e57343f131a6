// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.failure.FailureBench;
import io.headpond.lab.failure.FailureCurves;
import io.headpond.lab.failure.FailureMetrics;
import io.headpond.lab.failure.FailureSettings;
import io.headpond.lab.failure.FailureTurn;
import io.headpond.lab.results.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Brokers or bookies that die and come back, measured and shown. */
final class FailureMeasurement implements ProfileMeasurement {

  private final FailureSettings settings;
  private final EngineRelease release;
  private final List<FailureTurn> turns = new ArrayList<>();

  FailureMeasurement(FailureSettings settings, EngineRelease release) {
    this.settings = settings;
    this.release = release;
  }

  /** The measurement's own part of the JSON: every turn sample by sample. */
  record Details(List<FailureTurn> turns, List<Curve> curves) {}

  @Override
  public boolean measure(PrintWriter out, Progress progress)
      throws IOException, InterruptedException {
    FailureTable table = new FailureTable(out, settings);
    try (FailureBench bench =
        new FailureBench(
            settings, release, new BenchScreen<>(out, progress, turns, FailureTable::line))) {
      InterruptibleRun run = new InterruptibleRun(bench);
      table.introduce(release, bench.places());
      if (!run.run(bench::run)) {
        return false;
      }
    }
    progress.clear();
    table.print(turns, comparisons());
    return true;
  }

  List<Comparison<String, ComparedVariant>> comparisons() {
    return Comparison.of(turns, FailureMetrics.ALL, settings.variants().get(0));
  }

  @Override
  public Measurement measurement() {
    return new Measurement(
        Map.of(settings.engine().engine().id(), release.version()),
        Figure.of(comparisons(), FailureMetrics.ALL, Function.identity()),
        FailureMetrics.latencies(settings.engine(), turns),
        turns.stream().mapToDouble(FailureTurn::othersShare).max().orElse(0),
        new Details(turns, FailureCurves.of(settings, turns)),
        List.of());
  }
}
