// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardOptions;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.Starts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
    plan(); // refuses wrong usage before anything is set up
    return place.run(spec, json, this::measure);
  }

  private int measure() throws IOException, InterruptedException {
    BookKeeperPlan plan = plan();
    JavaHome java = place.java();
    BenchRun measured = new BenchRun(spec);
    PrintWriter out = spec.commandLine().getOut();
    EngineRelease release = ScenarioEngine.BOOKKEEPER.release(engineHome, out);
    // A turn is as long as it is asked to be, however much is written in it.
    RigSettings rigs =
        new RigSettings(
            release, java, place.fast().toRealPath(), place.home().toRealPath(), Long.MAX_VALUE);
    boolean fastVolatile = place.fastIsVolatile();
    List<BookKeeperTurn> turns = new ArrayList<>();
    BookKeeperBenchTable table = new BookKeeperBenchTable(out, plan);
    try (Progress progress = new Progress(spec.commandLine().getErr());
        Starts starts = new Starts()) {
      table.introduce(rigs, fastVolatile);
      BenchScreen<BookKeeperTurn> screen =
          new BenchScreen<>(out, progress, turns, BookKeeperBenchTable::line);
      if (!new InterruptibleRun(starts).run(() -> plan.run(starts, rigs, screen))) {
        return 1;
      }
      progress.clear();
      List<Comparison<BookKeeperTurn.Load, JournalVariant>> comparisons =
          Comparison.of(turns, BookKeeperTurn.METRICS, JournalVariant.HEADPOND);
      List<Label> labels = BookKeeperBenchResult.labels(turns);
      place.measureHome();
      table.print(turns, comparisons, labels);
      place.printLabels(out);
      if (json != null) {
        Json.write(
            json,
            measured.document(
                new Measurement(
                    Map.of("bookkeeper", release.version(), "bookie's Java", "" + java.feature()),
                    Figure.of(comparisons, BookKeeperTurn.METRICS, BookKeeperBenchTable::text),
                    Map.of(),
                    turns.stream().mapToDouble(BookKeeperTurn::otherCpuShare).max().orElse(0),
                    BookKeeperBenchResult.of(plan, rigs, fastVolatile, turns, comparisons),
                    Stream.concat(place.labels().stream(), labels.stream()).toList())));
      }
      return labels.isEmpty() ? 0 : 1;
    }
  }

  private BookKeeperPlan plan() {
    try {
      List<Point> points = new ArrayList<>();
      for (long size : sizes) {
        for (int window : windows) {
          points.add(BookKeeperPlan.point(size, window, seconds));
        }
      }
      return new BookKeeperPlan(
          ComparedVariant.withBaselines(
              JournalVariant.HEADPOND, baselines.stream().map(JournalVariant::of).toList()),
          points,
          starts,
          rounds,
          seconds,
          warmUpSeconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
