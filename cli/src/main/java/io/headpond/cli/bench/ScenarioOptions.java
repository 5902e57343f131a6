// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.comparison.ComparedVariant;
import io.headpond.bench.process.JavaHome;
import io.headpond.bench.scenario.RigSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all scenarios are told; used as {@code @Mixin}. */
final class ScenarioOptions {

  private static final int ROUNDS_MAX = 100;
  private static final double SECONDS_MAX = 3600;

  @Option(
      names = "--compare",
      split = ",",
      paramLabel = "VARIANT",
      description =
          "What Headpond is compared with (default: vanilla-tmpfs,vanilla-forced,vanilla-disk;"
              + " of bookkeeper default-fast,default-disk).")
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

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "A folder on the fast device (default: memory, ${DEFAULT-VALUE}).")
  private Path fast;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      defaultValue = "/var/tmp",
      description = "A folder on disk (default: ${DEFAULT-VALUE}).")
  private Path home;

  @Option(
      names = "--engine-home",
      paramLabel = "DIR",
      description = "An unpacked release of the engine, instead of the one that Headpond finds.")
  private Path engineHome;

  @Option(
      names = "--java",
      paramLabel = "HOME",
      description = "The JAVA_HOME that runs the engines (default: this command's own).")
  private Path java;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures into FILE.")
  private Path json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write each round's value of each figure as a line into FILE.")
  private Path csv;

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
    FolderCheck.writable(fast, home, json);
    if (csv != null) {
      FolderCheck.writable(csv.toAbsolutePath().getParent(), "--csv");
    }
  }

  /** Headpond's variant and its rivals. */
  List<ComparedVariant> variants(ScenarioEngine engine) {
    return engine.variants(compare == null ? engine.defaultRivals() : compare);
  }

  /** Where the rigs run. */
  RigSettings rigs(ScenarioEngine engine, PrintWriter out)
      throws IOException, InterruptedException {
    return RigSettings.of(
        engine.release(engineHome, out),
        java == null ? JavaHome.current() : JavaHome.at(java),
        fast,
        home);
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

  Path json() {
    return json;
  }

  Path csv() {
    return csv;
  }
}
