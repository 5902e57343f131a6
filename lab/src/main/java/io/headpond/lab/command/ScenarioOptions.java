// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.WrongUsage;
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
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description = "Measured length of each turn, seconds (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Mixin
  private final Baselines baselines =
      Baselines.byEngine(
          "vanilla-tmpfs,vanilla-forced,vanilla-disk; of bookkeeper and pulsar"
              + " default-fast,default-disk");

  @Mixin private final RoundsOptions rounds = new RoundsOptions(3, 20);

  @Mixin private RunPlace place;

  @Mixin private EngineHome engineHome;

  /** Refuses what would fail in the middle. */
  void check(CommandSpec spec) {
    if (rounds() < 1 || rounds() > ROUNDS_MAX) {
      throw WrongUsage.of(spec, "--rounds goes from 1 to " + ROUNDS_MAX);
    }
    if (!(seconds >= 0.5 && seconds <= SECONDS_MAX)
        || !(warmUpSeconds() >= 0.5 && warmUpSeconds() <= SECONDS_MAX)) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT, "--seconds and --warm-up-seconds go from 0.5 to %.0f", SECONDS_MAX));
    }
  }

  /** Headpond's variant and its baselines. */
  List<ComparedVariant> variants(ScenarioEngine engine) {
    List<String> names = baselines.names();
    return engine.variants(names.isEmpty() ? engine.defaultBaselines() : names);
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
    return rounds.rounds();
  }

  double seconds() {
    return seconds;
  }

  double warmUpSeconds() {
    return rounds.warmUpSeconds();
  }
}
