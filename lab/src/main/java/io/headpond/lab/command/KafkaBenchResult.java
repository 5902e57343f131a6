// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.speed.KafkaBench;
import io.headpond.lab.kafka.speed.KafkaBenchSettings;
import io.headpond.lab.kafka.speed.RunFigures;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.Label;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of {@code headpond-lab run kafka}: circumstances, every run, and the comparisons.
 *
 * @param rounds for each start
 * @param brokerJava feature release that ran the brokers
 * @param loadGeneratorJava feature release that ran this command
 * @param processors shared by broker and load generator
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
    int seconds,
    int warmUpSeconds,
    int partitions,
    int producers,
    Map<String, String> variants,
    List<RunFigures> runs,
    List<Comparison<Load, Variant>> comparisons) {

  /** True if the runs may be compared at all. */
  static List<Label> labels(List<RunFigures> runs) {
    int overflow = runs.stream().mapToInt(RunFigures::overflowSegments).sum();
    return overflow == 0
        ? List.of()
        : List.of(
            new Label(
                "NOT COMPARABLE",
                Units.count(overflow, "segment") + " overflowed, the tier was too small"));
  }

  static KafkaBenchResult of(
      KafkaBenchSettings settings,
      KafkaBench bench,
      List<RunFigures> runs,
      List<Comparison<Load, Variant>> comparisons) {
    Map<String, String> variants = new LinkedHashMap<>();
    settings.variants().forEach(v -> variants.put(v.key(), bench.describe(v)));
    return new KafkaBenchResult(
        bench.kafkaVersion(),
        settings.java().feature(),
        JavaHome.current().feature(),
        Runtime.getRuntime().availableProcessors(),
        bench.fastIsVolatile(),
        settings.starts(),
        settings.rounds(),
        settings.seconds(),
        settings.warmUpSeconds(),
        settings.partitions(),
        settings.producers(),
        variants,
        List.copyOf(runs),
        comparisons);
  }
}
