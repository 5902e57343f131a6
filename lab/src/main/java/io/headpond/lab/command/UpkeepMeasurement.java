// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.upkeep.UpkeepBench;
import io.headpond.lab.upkeep.UpkeepMetrics;
import io.headpond.lab.upkeep.UpkeepSettings;
import io.headpond.lab.upkeep.UpkeepTurn;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A broker's upkeep, measured and shown. */
final class UpkeepMeasurement implements ProfileMeasurement {

  private final UpkeepSettings settings;
  private final List<UpkeepTurn> turns = new ArrayList<>();
  private String kafkaVersion;

  UpkeepMeasurement(UpkeepSettings settings) {
    this.settings = settings;
  }

  /** The measurement's own part of the JSON: every turn. */
  record Details(List<UpkeepTurn> turns) {}

  @Override
  public boolean measure(PrintWriter out, Progress progress)
      throws IOException, InterruptedException {
    try (UpkeepBench bench =
        new UpkeepBench(
            settings, new BenchScreen<>(out, progress, turns, UpkeepMeasurement::line))) {
      kafkaVersion = bench.kafkaVersion();
      introduce(out);
      if (!new InterruptibleRun(bench).run(bench::run)) {
        return false;
      }
    }
    progress.clear();
    print(out);
    return true;
  }

  private void introduce(PrintWriter out) throws IOException {
    out.printf("Kafka %s%n", kafkaVersion);
    Device fast = Device.detect(settings.fast());
    if (fast.durability() != Durability.DURABLE) {
      out.println("  " + fast.durability() + ": " + fast.explanation());
    }
    labels().forEach(label -> out.println("  " + label));
    out.println();
    out.flush();
  }

  private List<Label> labels() {
    return TightTier.label(settings.homeRate()).stream().toList();
  }

  private static String line(UpkeepTurn turn) {
    return String.format(
        Locale.ROOT,
        "round %d, %s, %s: done after %.2f s; publish P99 %.2f ms, before it %.2f ms; home %.1f MB in"
            + " %d writes",
        turn.round(),
        turn.chore().key(),
        turn.variant(),
        turn.doneSeconds(),
        turn.beside().getValueAtPercentile(99) / 1e6,
        turn.quiet().getValueAtPercentile(99) / 1e6,
        turn.io().writtenBytes() / 1e6,
        turn.io().writes());
  }

  private void print(PrintWriter out) {
    ComparisonTable<Variant> table = new ComparisonTable<>(out, settings.variants());
    for (String load : settings.texts()) {
      out.printf("%n%s, %s%n", load, Units.count(settings.rounds(), "round"));
      table.print(load, UpkeepMetrics.ALL, comparisons());
    }
    labels().forEach(out::println);
    table.warnOfNoise(othersShareMax());
    table.explain("Latency counts from when a message was due.");
  }

  private List<Comparison<String, Variant>> comparisons() {
    return Comparison.of(turns, UpkeepMetrics.ALL, Variant.HEADPOND);
  }

  private double othersShareMax() {
    return turns.stream().mapToDouble(UpkeepTurn::othersShare).max().orElse(0);
  }

  @Override
  public Measurement measurement() {
    return new Measurement(
        Map.of("kafka", kafkaVersion),
        Figure.of(comparisons(), UpkeepMetrics.ALL, Function.identity()),
        UpkeepMetrics.latencies(turns),
        othersShareMax(),
        new Details(turns),
        labels());
  }
}
