// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.path;

import io.headpond.cli.measure.Spread;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.comparison.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures {@link PathWork} with the built-in default provider and with Headpond's, in JVMs that
 * take turns, and prints the ratios.
 *
 * <p>Needs headpond-nio's jar on the class path: its layer for newer Java versions counts.
 */
public final class PathBench {
  private static final int ITERATIONS = 4;
  private static final String PROVIDER =
      "-Djava.nio.file.spi.DefaultFileSystemProvider=io.headpond.nio.HeadpondFileSystemProvider";

  /** The set-ups of a JVM. */
  private enum Setting {
    BUILT_IN,
    /** The provider without a configuration, as its users start. */
    PASS_THROUGH,
    /** A command-line tool beside a broker: configured, not the owner. */
    CONFIGURED,
    /** A broker: the owner of the tiers. */
    OWNER
  }

  private final PrintStream out;
  private final int rounds;
  private final String work;
  private final Path folder;

  private PathBench(final PrintStream out, final int rounds, final String work, final Path folder) {
    this.out = out;
    this.rounds = rounds;
    this.work = work;
    this.folder = folder;
  }

  /**
   * Measures and prints.
   *
   * @param arguments the number of rounds, default 5; a pattern of the methods of {@link PathWork},
   *     default all of them
   */
  public static void main(final String... arguments) throws IOException, RunnerException {
    final int rounds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
    final String work = arguments.length < 2 ? ".*" : arguments[1];
    final Path folder = Files.createTempDirectory("headpond-path-bench");
    try {
      new PathBench(System.out, rounds, work, folder).run();
    } finally {
      FolderRemoval.remove(folder, true);
    }
  }

  private void run() throws IOException, RunnerException {
    final Map<Setting, List<String>> jvmArguments = new EnumMap<>(Setting.class);
    for (final Setting setting : Setting.values()) {
      jvmArguments.put(setting, jvmArguments(setting));
    }
    final Map<String, Map<Setting, List<Double>>> nanos = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      for (final Setting setting : inTurns(round)) {
        for (final RunResult result : measure(jvmArguments.get(setting))) {
          final String name = result.getParams().getBenchmark();
          nanos
              .computeIfAbsent(
                  name.substring(name.lastIndexOf('.') + 1), key -> new EnumMap<>(Setting.class))
              .computeIfAbsent(setting, key -> new ArrayList<>())
              .add(ofOneJvm(result));
        }
      }
    }
    print(nanos);
  }

  /** Every other round goes backwards: none always comes after the same one. */
  private static List<Setting> inTurns(final int round) {
    final List<Setting> settings = new ArrayList<>(List.of(Setting.values()));
    if (round % 2 == 1) {
      Collections.reverse(settings);
    }
    return settings;
  }

  /** Iterations of one JVM share its compiled code: together they are one value. */
  private static double ofOneJvm(final RunResult result) {
    return Spread.of(
            result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                .toArray())
        .median();
  }

  private List<String> jvmArguments(final Setting setting) throws IOException {
    if (setting == Setting.BUILT_IN) {
      return List.of();
    }
    if (setting == Setting.PASS_THROUGH) {
      return List.of(PROVIDER);
    }
    final String name = setting.name().toLowerCase(Locale.ROOT);
    final Path logDir = Files.createDirectories(folder.resolve(name).resolve("log"));
    final Path tier = Files.createDirectories(folder.resolve(name).resolve("tier"));
    final Path configuration =
        Files.write(
            folder.resolve(name).resolve("server.properties"),
            List.of(
                "log.dirs=" + logDir,
                "headpond.tiers=fast",
                "headpond.tier.fast.type=file",
                "headpond.tier.fast.paths=" + tier));
    final List<String> arguments = new ArrayList<>();
    arguments.add(PROVIDER);
    arguments.add("-Dheadpond.config=" + configuration);
    if (setting == Setting.OWNER) {
      arguments.add("-Dheadpond.bench.claim=" + logDir);
    }
    return arguments;
  }

  private Iterable<RunResult> measure(final List<String> jvmArguments) throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(PathWork.class.getName() + "\\.(" + work + ")$")
                .jvmArgsAppend(jvmArguments.toArray(new String[0]))
                .forks(1)
                .warmupIterations(3)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(ITERATIONS)
                .measurementTime(TimeValue.milliseconds(300))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build())
        .run();
  }

  private void print(final Map<String, Map<Setting, List<Double>>> nanos) {
    out.printf(
        "Java %s, %d rounds of a JVM each; time of one call divided by the built-in provider's in"
            + " the same round: median (95 %% interval of the median)%n",
        Runtime.version(), rounds);
    final List<Setting> compared =
        Arrays.stream(Setting.values()).filter(setting -> setting != Setting.BUILT_IN).toList();
    final TextTable table = new TextTable().left("").right("built-in, ns");
    compared.forEach(
        setting -> table.left(setting.name().toLowerCase(Locale.ROOT).replace('_', '-')));
    for (final Map.Entry<String, Map<Setting, List<Double>>> entry : nanos.entrySet()) {
      final List<Double> builtIn = entry.getValue().get(Setting.BUILT_IN);
      final List<String> cells = new ArrayList<>(List.of(entry.getKey()));
      cells.add(String.format(Locale.ROOT, "%.0f", Spread.of(builtIn).median()));
      for (final Setting setting : compared) {
        cells.add(
            ofTheMedian(Spread.ofRatios(entry.getValue().get(setting), builtIn).orElseThrow()));
      }
      table.row(cells);
    }
    out.print(table);
  }

  /**
   * Between the order statistics that hold the true median in 95 of 100 runs, whatever the
   * distribution (W. J. Conover, Practical Nonparametric Statistics, 3rd edition, section 3.2).
   */
  private static String ofTheMedian(final Spread ratios) {
    final double[] sorted =
        ratios.values().stream().mapToDouble(Double::doubleValue).sorted().toArray();
    final int below = (int) Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2);
    return below < 1
        ? String.format(Locale.ROOT, "%.3f (too few rounds)", ratios.median())
        : String.format(
            Locale.ROOT,
            "%.3f (%.3f-%.3f)",
            ratios.median(),
            sorted[below - 1],
            sorted[sorted.length - below]);
  }
}
