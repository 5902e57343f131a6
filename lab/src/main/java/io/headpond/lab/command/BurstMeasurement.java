// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.lab.burst.BurstBench;
import io.headpond.lab.burst.BurstMetrics;
import io.headpond.lab.burst.BurstOutcome;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.burst.BurstTurn;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.speed.Variant;
import io.headpond.lab.results.Label;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Bursts, measured and shown. */
final class BurstMeasurement implements ProfileMeasurement {

  private final BurstSettings settings;
  private final List<BurstTurn> turns = new ArrayList<>();
  private String kafkaVersion;

  BurstMeasurement(BurstSettings settings) {
    this.settings = settings;
  }

  @Override
  public boolean measure(PrintWriter out, Progress progress)
      throws IOException, InterruptedException {
    BurstTable table = new BurstTable(out, settings);
    try (BurstBench bench =
        new BurstBench(settings, new BenchScreen<>(out, progress, turns, BurstTable::line))) {
      kafkaVersion = bench.kafkaVersion();
      table.introduce(kafkaVersion);
      if (!new InterruptibleRun(bench).run(bench::run)) {
        return false;
      }
    }
    progress.clear();
    table.print(turns, outcomes(), comparisons());
    return true;
  }

  BurstSettings settings() {
    return settings;
  }

  String kafkaVersion() {
    return kafkaVersion;
  }

  /** Of Headpond's turns. */
  List<BurstOutcome> outcomes() {
    return turns.stream()
        .filter(turn -> turn.variant() == Variant.HEADPOND)
        .flatMap(turn -> BurstOutcome.of(settings, turn).stream())
        .toList();
  }

  List<Comparison<String, Variant>> comparisons() {
    return Comparison.of(turns, BurstMetrics.ALL, Variant.HEADPOND);
  }

  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>(BurstOutcome.figures(settings.text(), outcomes()));
    figures.addAll(Figure.of(comparisons(), BurstMetrics.ALL, Function.identity()));
    return figures;
  }

  @Override
  public Map<String, List<Histogram>> latencies() {
    return BurstMetrics.latencies(turns);
  }

  @Override
  public double othersShareMax() {
    return turns.stream().mapToDouble(BurstTurn::othersShare).max().orElse(0);
  }

  Label[] labels() {
    return BurstTable.labels(settings, turns);
  }

  BurstResult result() {
    return BurstResult.of(settings, turns, outcomes());
  }
}
