// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantPlaces;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.RigSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The JSON of {@code headpond-lab run kafka}: circumstances, every run, and the comparisons.
 *
 * @param rounds for each start
 * @param brokerJava feature release that ran the brokers
 * @param loadGeneratorJava feature release that ran this command
 * @param processors shared by broker and load generator
 * @param window records that may wait for their answer at full speed; 0: as many as the producers
 *     hold
 * @param variants where each variant's log was written
 */
record KafkaBenchResult(
    String kafka,
    int brokerJava,
    int loadGeneratorJava,
    int processors,
    boolean fastTierVolatile,
    int starts,
    int rounds,
    double seconds,
    double warmUpSeconds,
    int partitions,
    int producers,
    int window,
    Map<String, String> variants,
    List<KafkaTurn> runs,
    List<Comparison<KafkaTurn.Load, Variant>> comparisons) {

  /** The labels of runs that can't be compared; none if they can. */
  static List<Label> labels(List<KafkaTurn> runs) {
    int overflow = runs.stream().mapToInt(KafkaTurn::overflowSegments).sum();
    return overflow == 0
        ? List.of()
        : List.of(
            new Label(
                "NOT COMPARABLE",
                Units.count(overflow, "segment") + " overflowed, the tier was too small"));
  }

  /** The latencies of the phases at a rate by {@code LOAD-VARIANT-PHASE}, round by round. */
  static Map<String, List<Histogram>> latencies(List<KafkaTurn> runs) {
    Map<String, List<Histogram>> all = new LinkedHashMap<>();
    for (KafkaTurn run : runs) {
      add(all, run, "latency", run.latency());
      add(all, run, "roll", run.roll());
    }
    return all;
  }

  private static void add(
      Map<String, List<Histogram>> all, KafkaTurn run, String phase, KafkaTurn.Paced figures) {
    if (figures != null) {
      KafkaTurn.Load load = run.load();
      String name =
          String.format(
              Locale.ROOT,
              "%dB-acks-%s-%s-%s-%s",
              load.recordBytes(),
              load.acks(),
              load.compression(),
              run.variant(),
              phase);
      all.computeIfAbsent(name, n -> new ArrayList<>()).add(figures.histogram());
    }
  }

  private static List<Figure> figures(
      List<KafkaTurn> runs, List<Comparison<KafkaTurn.Load, Variant>> comparisons) {
    List<Figure> all =
        new ArrayList<>(Figure.of(comparisons, KafkaTurn.METRICS, KafkaBenchTable::text));
    LeastTime.of(runs).forEach(least -> all.addAll(least.figures()));
    return all;
  }

  /** The whole measurement, with this document as its details. */
  static Measurement of(
      KafkaPlan plan,
      RigSettings rigs,
      VariantPlaces places,
      List<KafkaTurn> runs,
      List<Comparison<KafkaTurn.Load, Variant>> comparisons) {
    return new Measurement(
        Map.of("kafka", rigs.release().version(), "broker's Java", "" + rigs.java().feature()),
        figures(runs, comparisons),
        latencies(runs),
        runs.stream().mapToDouble(KafkaTurn::otherCpuShare).max().orElse(0),
        new KafkaBenchResult(
            rigs.release().version(),
            rigs.java().feature(),
            JavaHome.current().feature(),
            Runtime.getRuntime().availableProcessors(),
            places.fastIsVolatile(),
            plan.starts(),
            plan.rounds(),
            plan.seconds(),
            plan.warmUpSeconds(),
            plan.partitions(),
            plan.producers(),
            plan.window(),
            places.of(plan.variants()),
            List.copyOf(runs),
            comparisons),
        labels(runs));
  }
}
