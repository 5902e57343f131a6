// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.lab.burst.BurstBench;
import io.headpond.lab.burst.BurstCurves;
import io.headpond.lab.burst.BurstMetrics;
import io.headpond.lab.burst.BurstOutcome;
import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.burst.BurstTurn;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Bursts, measured and shown. */
final class BurstMeasurement implements ProfileMeasurement {

  private final BurstSettings settings;
  private final List<BurstTurn> turns = new ArrayList<>();
  private String kafkaVersion;

  /**
   * Its own part of the JSON: when bursts came, what they did to the tier, every turn sample by
   * sample, and the charts.
   */
  record Details(
      List<Burst> schedule,
      List<BurstOutcome> outcomes,
      List<BurstTurn> turns,
      List<Curve> curves) {}

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

  /** The outcomes of Headpond's turns. */
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
  public Measurement measurement() {
    List<BurstOutcome> outcomes = outcomes();
    List<Figure> figures = new ArrayList<>(BurstOutcome.figures(settings.text(), outcomes));
    figures.addAll(Figure.of(comparisons(), BurstMetrics.ALL, Function.identity()));
    return new Measurement(
        Map.of("kafka", kafkaVersion),
        figures,
        BurstMetrics.latencies(turns),
        turns.stream().mapToDouble(BurstTurn::othersShare).max().orElse(0),
        new Details(settings.schedule(), outcomes, turns, BurstCurves.of(settings, turns)),
        BurstTable.labels(settings, turns));
  }
}
