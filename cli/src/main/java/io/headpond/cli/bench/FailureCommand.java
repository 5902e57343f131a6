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
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.results.BenchRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headpond bench failure}. */
@Command(
    name = "failure",
    description = {
      "Measure what publishers feel when one of three brokers dies (SIGKILL) and comes back.",
      "",
      "Real Kafka clusters of three brokers, one of each variant, take turns: messages come at a fixed "
          + "rate with acks=all, a broker that isn't the active controller is killed, started again, "
          + "and everything is in sync again. Whatever was acknowledged must be in the log afterwards. "
          + "How long nobody knows of the death is Kafka's own broker.session.timeout.ms, 9 s.",
      "",
      "With the defaults it takes about four minutes."
    },
    footer = {
      "  headpond bench failure",
      "  headpond bench failure --rate 2000 --dead-seconds 20 --json failure.json"
    })
public final class FailureCommand implements Callable<Integer> {

  @Mixin private StandardOptions standard;
  @Mixin private RunPlace place;
  @Mixin private KafkaRivals rivals;
  @Spec private CommandSpec spec;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "500",
      description = "Messages a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "1KiB",
      description = "Size of the records' values (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(
      names = "--before-seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "With three brokers, before one is killed (default: ${DEFAULT-VALUE}).")
  private int beforeSeconds;

  @Option(
      names = "--dead-seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "From its death to its start (default: ${DEFAULT-VALUE}).")
  private int deadSeconds;

  @Option(
      names = "--after-seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "With everything in sync again (default: ${DEFAULT-VALUE}).")
  private int afterSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Deaths in each variant's cluster (default: ${DEFAULT-VALUE}).")
  private int rounds;

  /** The JSON of this benchmark beside what all have: every turn sample by sample. */
  record Result(List<FailureTurn> turns, List<Curve> curves) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    FailureSettings settings = settings();
    place.check();
    BenchRun measured = new BenchRun(spec);
    PrintWriter out = spec.commandLine().getOut();
    List<FailureTurn> turns = new ArrayList<>();
    try (Progress progress = new Progress(spec.commandLine().getErr());
        FailureBench bench =
            new FailureBench(
                settings, new BenchScreen<>(out, progress, turns, FailureTable::line))) {
      FailureTable table = new FailureTable(out, settings);
      table.introduce(bench.kafkaVersion());
      if (!new InterruptibleRun(bench).run(bench::run)) {
        return 1;
      }
      progress.clear();
      List<Comparison<String, Variant>> comparisons =
          Comparison.of(turns, FailureMetrics.ALL, Variant.HEADPOND);
      table.print(turns, comparisons);
      List<Figure> figures = Figure.of(comparisons, FailureMetrics.ALL, Function.identity());
      place.write(
          measured.document(
              Map.of("kafka", bench.kafkaVersion()),
              figures,
              turns.stream().mapToDouble(FailureTurn::othersShare).max().orElse(0),
              new Result(turns, FailureCurves.of(settings, turns))),
          figures,
          FailureMetrics.latencies(turns));
    }
    return 0;
  }

  private FailureSettings settings() throws IOException {
    try {
      return new FailureSettings(
          rivals.variants(),
          place.fast(),
          place.home(),
          place.java(),
          rate,
          (int) Math.min(size, Integer.MAX_VALUE),
          beforeSeconds,
          deadSeconds,
          afterSeconds,
          rounds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
