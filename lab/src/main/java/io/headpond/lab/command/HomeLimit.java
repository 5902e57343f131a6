// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.LimitConverter;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.slowdisk.DiskLimit;
import io.headpond.harness.slowdisk.Leftovers;
import io.headpond.harness.slowdisk.LimitedHome;
import io.headpond.lab.results.Label;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a home on a disk that is limited; used as {@code @Mixin}. */
final class HomeLimit {

  private static final Duration EACH = Duration.ofMillis(1500);

  @Option(
      names = "--home-limit",
      paramLabel = "LIMIT",
      converter = LimitConverter.class,
      description = LimitConverter.DESCRIPTION)
  private DiskLimit limit;

  @Option(
      names = "--home-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Size of the limited disk (default: half of what is free in --home, 16GiB at most).")
  private Long size;

  @Option(
      names = "--page-cache",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Bound the machine's dirty pages beside --home-limit, as in a small container (default: as"
              + " they are).")
  private Long pageCache;

  private LimitedHome limited;
  private String fault;

  /** The work of a command; its exit code. */
  interface Work {
    int run() throws IOException, InterruptedException;
  }

  /**
   * Does a command's work, on a limited home if one is wanted, which is taken down in the end. What
   * a killed run left is taken down first.
   *
   * @param home on disk
   * @return the work's exit code; 1 if the home wasn't what it was said to be
   */
  int run(CommandSpec spec, Path home, Work work) throws IOException, InterruptedException {
    LimitedHome.Settings settings = settings(spec, home);
    PrintWriter out = spec.commandLine().getOut();
    Leftovers.remove(
        said -> {
          out.println(said);
          out.flush();
        });
    if (settings == null) {
      return work.run();
    }
    try (Progress progress = new Progress(spec.commandLine().getErr());
        LimitedHome wanted = new LimitedHome(settings, progress::show)) {
      Interruption.closes(wanted);
      wanted.start();
      progress.clear();
      limited = wanted;
      print(out);
      int exitCode = work.run();
      return fault == null ? exitCode : 1;
    } finally {
      limited = null;
      fault = null;
    }
  }

  private LimitedHome.Settings settings(CommandSpec spec, Path home) {
    if (limit == null) {
      if (size != null || pageCache != null) {
        throw WrongUsage.of(spec, "--home-size and --page-cache go with --home-limit");
      }
      return null;
    }
    return WrongUsage.unless(
        spec,
        () ->
            new LimitedHome.Settings(
                home, limit, size == null ? 0 : size, pageCache == null ? 0 : pageCache, EACH));
  }

  /** The home that engines get while the work is done. */
  Path home(Path unlimited) {
    return limited == null ? unlimited : limited.folder();
  }

  /**
   * The rate of large writes, bytes a second: as measured while the work is done, before that as
   * the limit says; empty: there is no limit.
   */
  OptionalLong bytesPerSecond() {
    if (limit == null) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        limited == null ? limit.largeBytesPerSecond() : limited.bytesPerSecond());
  }

  /** Measures once more, when no engine is at work; nothing if there is no limit. */
  void measure() throws IOException, InterruptedException {
    if (limited != null) {
      fault = limited.measure().orElse(null);
    }
  }

  /** The labels of all figures. */
  List<Label> labels() {
    List<Label> labels = new ArrayList<>();
    if (limited != null) {
      labels.add(new Label("LIMITED", limited.text()));
    }
    if (fault != null) {
      labels.add(new Label("NOT VALID", "after the run home isn't what it shall be: " + fault));
    }
    return labels;
  }

  /** The labels, a line each. */
  void print(PrintWriter out) {
    labels().forEach(out::println);
    out.flush();
  }
}
