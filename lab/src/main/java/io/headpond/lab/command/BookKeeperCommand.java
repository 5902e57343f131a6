// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.demo.EngineJars;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.bookkeeper.speed.BookKeeperBench;
import io.headpond.lab.bookkeeper.speed.BookKeeperBenchSettings;
import io.headpond.lab.bookkeeper.speed.LoadPoint;
import io.headpond.lab.bookkeeper.speed.TurnFigures;
import io.headpond.lab.bookkeeper.speed.TurnMetrics;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headpond-lab run bookkeeper}. */
@Command(
    name = "bookkeeper",
    description = {
      "Measure a real bookie with Headpond's journal against an unmodified bookie.",
      "",
      "Adds by a real client, one journal, the same settings for all. All bookies live side by side, "
          + "one working at a time, in turns of seconds, so that a machine that gets slower does so for "
          + "all.",
      "",
      "Variants:",
      "",
      "  headpond         journal in --fast, Headpond's",
      "  headpond-no-hop  the same with journalSyncData=false: without the hop to the forcing thread",
      "  default-fast     journal in --fast, BookKeeper's own",
      "  default-disk     journal in --home, BookKeeper's own, forced",
      "",
      "The ledgers of all are in --home."
    },
    footer = {
      "  headpond-lab run bookkeeper",
      "  headpond-lab run bookkeeper --sizes 1KiB --windows 1,16 --starts 6 --rounds 2 --json bench.json"
    })
public final class BookKeeperCommand implements Callable<Integer> {

  @Mixin private StandardOptions standard;
  @Mixin private EnginePlace place;
  @Spec private CommandSpec spec;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "1KiB,4KiB",
      description = "Sizes of the entries (default: ${DEFAULT-VALUE}).")
  private List<Long> sizes;

  @Option(
      names = "--windows",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,16,256",
      description = "Adds that may wait for their answer (default: ${DEFAULT-VALUE}).")
  private List<Integer> windows;

  @Option(
      names = "--compare",
      split = ",",
      paramLabel = "VARIANT",
      defaultValue = "default-fast,default-disk,headpond-no-hop",
      description = "What Headpond is compared with (default: ${DEFAULT-VALUE}).")
  private List<String> baselines;

  @Option(
      names = "--starts",
      paramLabel = "N",
      defaultValue = "2",
      description = "How often all bookies are started afresh (default: ${DEFAULT-VALUE}).")
  private int starts;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Turns of each variant under each load and start (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Measured length of a turn, seconds; bookies flush every 2 s (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Before each variant's first turn after a start (default: ${DEFAULT-VALUE}).")
  private double warmUpSeconds;

  @Option(
      names = "--engine-home",
      paramLabel = "DIR",
      description =
          "An unpacked BookKeeper, instead of the one that is fetched from Maven Central.")
  private Path engineHome;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures into FILE.")
  private Path json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    BookKeeperBenchSettings settings = settings();
    place.check(json);
    BenchRun measured = new BenchRun(spec);
    PrintWriter out = spec.commandLine().getOut();
    EngineRelease release =
        EngineJars.of(Engine.BOOKKEEPER, engineHome, EngineJars.BOOKKEEPER_MEGABYTES, out);
    List<TurnFigures> turns = new ArrayList<>();
    BookKeeperBenchTable table = new BookKeeperBenchTable(out, settings);
    try (Progress progress = new Progress(spec.commandLine().getErr());
        BookKeeperBench bench =
            new BookKeeperBench(
                settings,
                release,
                new BenchScreen<>(out, progress, turns, BookKeeperBenchTable::line))) {
      InterruptibleRun run = new InterruptibleRun(bench);
      table.introduce(bench);
      if (!run.run(bench::run)) {
        return 1;
      }
      progress.clear();
      List<Comparison<LoadPoint, JournalVariant>> comparisons =
          Comparison.of(turns, TurnMetrics.ALL, JournalVariant.HEADPOND);
      boolean valid = table.print(turns, comparisons);
      if (json != null) {
        Json.write(
            json,
            measured.document(
                new Measurement(
                    Map.of(
                        "bookkeeper",
                        bench.version(),
                        "bookie's Java",
                        "" + settings.java().feature()),
                    Figure.of(comparisons, TurnMetrics.ALL, BookKeeperBenchTable::text),
                    Map.of(),
                    turns.stream().mapToDouble(TurnFigures::otherCpuShare).max().orElse(0),
                    BookKeeperBenchResult.of(settings, bench, turns, comparisons),
                    BookKeeperBenchResult.labels(turns))));
      }
      return valid ? 0 : 1;
    }
  }

  private BookKeeperBenchSettings settings() throws IOException {
    try {
      return new BookKeeperBenchSettings(
          baselines.stream().map(JournalVariant::of).toList(),
          points(),
          starts,
          rounds,
          seconds,
          warmUpSeconds,
          place.fast(),
          place.home(),
          place.java());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private List<LoadPoint> points() {
    List<LoadPoint> points = new ArrayList<>();
    for (long size : sizes) {
      for (int window : windows) {
        points.add(new LoadPoint((int) Math.min(size, Integer.MAX_VALUE), window));
      }
    }
    return points;
  }
}
