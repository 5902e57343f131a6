// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import io.headpond.cli.measure.Spread;
import io.headpond.pmem.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures appends to a folder's device: Headpond's mapped file against a bare libpmem copy and
 * against plain file writes, in the same run, by JMH.
 */
public final class ChannelBench {
  private final Options options;
  private final Device device;

  /** Looks at the device; measures nothing yet. */
  public ChannelBench(Options options) throws IOException {
    this.options = options;
    this.device = Device.detect(options.directory());
  }

  /**
   * Sets up a measurement.
   *
   * @param directory a folder on the device; up to 256 MiB of it are used
   * @param appendBytes sizes of an append, in bytes, each at most 64 MiB
   * @param growth measure growing files too
   * @param forks JVMs started per measurement; 0: measure in this JVM, where one measurement's
   *     compiled code hurts the next one's
   * @param iterations measured per fork
   * @param iteration how long one takes
   * @param log where progress goes
   */
  public record Options(
      Path directory,
      List<Integer> appendBytes,
      boolean growth,
      int forks,
      int iterations,
      Duration iteration,
      PrintStream log) {
    /** The sizes that the targets are set for. */
    public static final List<Integer> APPEND_BYTES = List.of(256, 4 << 10, 64 << 10, 1 << 20);

    /** Checks the sizes. */
    public Options {
      Objects.requireNonNull(directory, "directory");
      for (int bytes : appendBytes) {
        if (bytes < 1 || bytes > PregrownAppend.REGION_BYTES) {
          throw new IllegalArgumentException(
              "an append must be 1 byte to 64 MiB, not " + bytes + " bytes");
        }
      }
    }

    /** Everything, in about five minutes. */
    public static Options defaults(Path directory, PrintStream log) {
      return new Options(directory, APPEND_BYTES, true, 1, 20, Duration.ofMillis(100), log);
    }
  }

  /** Measures all, in minutes rather than seconds. */
  public ChannelReport run() throws IOException {
    Map<String, String> skipped = new LinkedHashMap<>();
    List<Subject> subjects = new ArrayList<>();
    for (Subject subject : Subject.values()) {
      Optional<String> why = subject.unavailable(device);
      if (why.isPresent()) {
        skipped.put(subject.key(), why.get());
      } else {
        subjects.add(subject);
      }
    }
    List<ChannelReport.Row> rows = new ArrayList<>();
    for (int bytes : options.appendBytes()) {
      for (Subject subject : subjects) {
        rows.add(pregrown(subject, bytes));
      }
      if (options.growth()) {
        for (Subject subject : subjects) {
          if (subject == Subject.BARE_LIBPMEM || subject == Subject.FILE_CHANNEL_FORCE) {
            continue; // it can't grow; it would take hours
          }
          rows.add(growing(subject, bytes, false));
          if (subject.mapped()) {
            rows.add(growing(subject, bytes, true));
          }
        }
      }
    }
    return new ChannelReport(device, skipped, rows);
  }

  private ChannelReport.Row pregrown(Subject subject, int bytes) throws IOException {
    options.log().printf("%s, appends of %d B, pre-grown%n", subject.key(), bytes);
    RunResult result =
        run(builder(PregrownAppend.class, subject, bytes).addProfiler(GCProfiler.class));
    return row(subject, bytes, ChannelReport.Growth.PREGROWN, result, 1);
  }

  private ChannelReport.Row growing(Subject subject, int bytes, boolean prepared)
      throws IOException {
    ChannelReport.Growth growth =
        prepared ? ChannelReport.Growth.PREPARED : ChannelReport.Growth.GROWING;
    options.log().printf("%s, appends of %d B, %s%n", subject.key(), bytes, growth.key());
    RunResult result =
        run(
            builder(GrowingAppend.class, subject, bytes)
                .param("prepared", Boolean.toString(prepared)));
    return row(subject, bytes, growth, result, GrowingAppend.FILE_BYTES / bytes);
  }

  private ChainedOptionsBuilder builder(Class<?> benchmark, Subject subject, int bytes) {
    TimeValue time = TimeValue.milliseconds(options.iteration().toMillis());
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .include(benchmark.getName() + "\\.")
            .param("subject", subject.key())
            .param("appendBytes", Integer.toString(bytes))
            .param("directory", options.directory().toAbsolutePath().toString())
            .forks(options.forks())
            .warmupIterations(5)
            .warmupTime(time)
            .measurementIterations(options.iterations())
            .measurementTime(time)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    return Runtime.version().feature() < 22
        ? builder
        : builder.jvmArgsAppend("--enable-native-access=ALL-UNNAMED");
  }

  private static RunResult run(ChainedOptionsBuilder builder) throws IOException {
    try {
      return new Runner(builder.build()).runSingle();
    } catch (RunnerException e) {
      throw new IOException("the benchmark failed: " + e.getMessage(), e);
    }
  }

  private static ChannelReport.Row row(
      Subject subject, int bytes, ChannelReport.Growth growth, RunResult result, int appends) {
    List<Double> nanos =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .map(iteration -> iteration.getPrimaryResult().getScore() / appends)
            .toList();
    Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
    return new ChannelReport.Row(
        subject.key(),
        bytes,
        growth,
        Spread.of(nanos),
        allocated == null ? Double.NaN : allocated.getScore());
  }

  /** Runs with the defaults on the folder named, or on /dev/shm, and prints the table. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments.length > 0 ? arguments[0] : "/dev/shm");
    if (!Files.isDirectory(directory)) {
      throw new IOException(directory + " is no directory");
    }
    System.out.print(new ChannelBench(Options.defaults(directory, System.err)).run().table());
  }
}
