// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.comparison.Figure;
import io.headpond.bench.failure.FailureSettings;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.results.BenchRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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

  @Override
  public Integer call() throws IOException, InterruptedException {
    FailureMeasurement deaths = new FailureMeasurement(settings());
    place.check();
    BenchRun measured = new BenchRun(spec);
    try (Progress progress = new Progress(spec.commandLine().getErr())) {
      if (!deaths.measure(spec.commandLine().getOut(), progress)) {
        return 1;
      }
    }
    List<Figure> figures = deaths.figures();
    place.write(
        measured.document(
            Map.of("kafka", deaths.kafkaVersion()),
            figures,
            deaths.othersShareMax(),
            deaths.result()),
        figures,
        deaths.latencies());
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
