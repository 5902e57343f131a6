// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.RigSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "  headpond-tuned   journal in --fast, Headpond's, with the bookie's settings of --set",
      "  default-fast     journal in --fast, BookKeeper's own",
      "  default-disk     journal in --home, BookKeeper's own, forced",
      "",
      "The ledgers of all are in --home."
    },
    footer = {
      "  headpond-lab run bookkeeper",
      "  headpond-lab run bookkeeper --sizes 1KiB --windows 1,16 --starts 6 --rounds 2 --json bench.json",
      "  headpond-lab run bookkeeper --compare headpond-tuned --set enableBusyWait=true"
    })
public final class BookKeeperCommand extends StandardCommand {

  @Mixin private RunPlace place;
  @Mixin private EngineHome engineHome;
  @Mixin private final MessageSizes sizes = new MessageSizes("1KiB,4KiB");

  @Mixin
  private final Baselines baselines = new Baselines("default-fast,default-disk,headpond-no-hop");

  @Mixin private final StartsOptions starts = new StartsOptions(6);
  @Mixin private final RoundsOptions rounds = new RoundsOptions(2, 5);

  @Option(
      names = "--windows",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,16,256",
      description = "Adds that may wait for their answer (default: ${DEFAULT-VALUE}).")
  private List<Integer> windows;

  @Option(
      names = "--journals",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Journal directories of each bookie, all in the same folder (default: ${DEFAULT-VALUE}).")
  private int journals;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the bookie in the variant headpond-tuned; as often as needed.")
  private Map<String, String> tuned = Map.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    plan(); // refuses wrong usage before anything is set up
    return place.run(spec(), this::measure);
  }

  private int measure() throws IOException, InterruptedException {
    BookKeeperPlan plan = plan();
    BenchRun begun = new BenchRun(spec());
    PrintWriter out = out();
    EngineRelease release = engineHome.release(ScenarioEngine.BOOKKEEPER, out);
    // A turn is as long as it is asked to be, however much is written in it.
    RigSettings rigs =
        new RigSettings(
            release,
            place.java(),
            place.fast().toRealPath(),
            place.home().toRealPath(),
            Long.MAX_VALUE);
    boolean fastVolatile = place.fastIsVolatile();
    BookKeeperBenchTable table = new BookKeeperBenchTable(out, plan);
    table.introduce(rigs, fastVolatile);
    Measurement measured =
        new StartedRun<>(
                spec(),
                place,
                BookKeeperTurn.METRICS,
                JournalVariant.HEADPOND,
                BookKeeperBenchTable::line)
            .run(
                begun,
                (all, listener) -> plan.run(all, rigs, listener),
                (turns, comparisons) -> {
                  table.print(turns, comparisons, BookKeeperBenchResult.labels(turns));
                  return BookKeeperBenchResult.of(plan, rigs, fastVolatile, turns, comparisons);
                });
    return measured == null || !measured.labels().isEmpty() ? 1 : 0;
  }

  private BookKeeperPlan plan() {
    return WrongUsage.unless(
        spec(),
        () ->
            new BookKeeperPlan(
                ComparedVariant.withBaselines(
                    JournalVariant.HEADPOND,
                    baselines.names().stream().map(JournalVariant::of).toList()),
                points(),
                journals,
                tuned,
                starts.starts(),
                rounds.rounds(),
                starts.seconds(),
                rounds.warmUpSeconds()));
  }

  private List<Point> points() {
    List<Point> points = new ArrayList<>();
    for (int size : sizes.bytes()) {
      for (int window : windows) {
        points.add(BookKeeperPlan.point(size, window, starts.seconds()));
      }
    }
    return points;
  }
}
