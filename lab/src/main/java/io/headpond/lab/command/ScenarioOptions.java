// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.ComparedVariant;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of all scenarios; used as {@code @Mixin}. */
final class ScenarioOptions {

  private static final int ROUNDS_MAX = 100;
  private static final double SECONDS_MAX = 3600;

  @Option(
      names = "--compare",
      split = ",",
      paramLabel = "VARIANT",
      description =
          "What Headpond is compared with (default: vanilla-tmpfs,vanilla-forced,vanilla-disk;"
              + " of bookkeeper and pulsar default-fast,default-disk).")
  private List<String> compare;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each variant under each load (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description = "Measured length of each turn, seconds (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Before each variant's first turn (default: ${DEFAULT-VALUE}).")
  private double warmUpSeconds;

  @Mixin private RunPlace place;

  @Mixin private EngineHome engineHome;

  /** Refuses what would fail in the middle. */
  void check(CommandSpec spec) {
    if (rounds < 1 || rounds > ROUNDS_MAX) {
      throw new ParameterException(spec.commandLine(), "--rounds goes from 1 to " + ROUNDS_MAX);
    }
    if (!(seconds >= 0.5 && seconds <= SECONDS_MAX)
        || !(warmUpSeconds >= 0.5 && warmUpSeconds <= SECONDS_MAX)) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT, "--seconds and --warm-up-seconds go from 0.5 to %.0f", SECONDS_MAX));
    }
  }

  /** Headpond's variant and its baselines. */
  List<ComparedVariant> variants(ScenarioEngine engine) {
    return engine.variants(compare == null ? engine.defaultBaselines() : compare);
  }

  /** The release that is measured, fetched if that is how it comes. */
  EngineRelease release(ScenarioEngine engine, PrintWriter out)
      throws IOException, InterruptedException {
    return engineHome.release(engine, out);
  }

  /** The place where it runs. */
  RunPlace place() {
    return place;
  }

  int rounds() {
    return rounds;
  }

  double seconds() {
    return seconds;
  }

  double warmUpSeconds() {
    return warmUpSeconds;
  }
}
