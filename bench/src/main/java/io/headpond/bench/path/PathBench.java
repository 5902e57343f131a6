// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.path;

import io.headpond.bench.comparison.Spread;
import io.headpond.bench.process.FolderRemoval;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** How a JVM is set up. */
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
  private final Path folder;

  private PathBench(final PrintStream out, final int rounds, final Path folder) {
    this.out = out;
    this.rounds = rounds;
    this.folder = folder;
  }

  /**
   * Measures and prints.
   *
   * @param arguments the number of rounds, default 5
   */
  public static void main(final String... arguments) throws IOException, RunnerException {
    final int rounds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
    final Path folder = Files.createTempDirectory("headpond-path-bench");
    try {
      new PathBench(System.out, rounds, folder).run();
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
      for (final Setting setting : Setting.values()) {
        for (final RunResult result : measure(jvmArguments.get(setting))) {
          final String name = result.getParams().getBenchmark();
          final List<Double> found =
              nanos
                  .computeIfAbsent(
                      name.substring(name.lastIndexOf('.') + 1),
                      key -> new EnumMap<>(Setting.class))
                  .computeIfAbsent(setting, key -> new ArrayList<>());
          result.getBenchmarkResults().stream()
              .flatMap(fork -> fork.getIterationResults().stream())
              .forEach(iteration -> found.add(iteration.getPrimaryResult().getScore()));
        }
      }
    }
    print(nanos);
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

  private static Iterable<RunResult> measure(final List<String> jvmArguments)
      throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(PathWork.class.getName() + "\\.")
                .jvmArgsAppend(jvmArguments.toArray(new String[0]))
                .forks(1)
                .warmupIterations(3)
                .warmupTime(TimeValue.milliseconds(300))
                .measurementIterations(ITERATIONS)
                .measurementTime(TimeValue.milliseconds(300))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build())
        .run();
  }

  private void print(final Map<String, Map<Setting, List<Double>>> nanos) {
    out.printf(
        "Java %s, %d rounds; median time of one call, and its ratio to the built-in provider's"
            + " (in brackets: that ratio for the fastest iteration)%n",
        Runtime.version(), rounds);
    for (final Map.Entry<String, Map<Setting, List<Double>>> entry : nanos.entrySet()) {
      final Spread builtIn = Spread.of(entry.getValue().get(Setting.BUILT_IN));
      out.printf(Locale.ROOT, "%-18s built-in %11.0f ns", entry.getKey(), builtIn.median());
      for (final Setting setting : Setting.values()) {
        if (setting != Setting.BUILT_IN) {
          final Spread found = Spread.of(entry.getValue().get(setting));
          out.printf(
              Locale.ROOT,
              "  %s %.3f (%.3f)",
              setting.name().toLowerCase(Locale.ROOT).replace('_', '-'),
              found.median() / builtIn.median(),
              found.min() / builtIn.min());
        }
      }
      out.println();
    }
  }
}
