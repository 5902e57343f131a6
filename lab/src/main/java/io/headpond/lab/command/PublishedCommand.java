// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headpond.cli.console.StandardCommand;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.ReportCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab published}. */
@Command(
    name = "published",
    description = {
      "Repeat the experiments of the systems that Headpond implements, and show theirs beside ours.",
      "",
      "Bookies, then brokers: latency over the rate, the highest throughput, the highest within a P99 of"
          + " 5 ms, few and many producers of large messages, publishing beside a backlog that is read, a load"
          + " that never ends, bursts, and bookies and brokers that die. --quick takes less than ten minutes on two"
          + " processors: two rounds, turns of a second, fewer loads, no deaths. Without it it takes about"
          + " an hour. With --home-limit everything at home is on a slow disk, bursts come at three times its"
          + " rate, and nothing is throttled."
    },
    footer = {
      "  headpond-lab published --quick --json seeds.json --report seeds.html",
      "  headpond-lab published --quick --home-limit 50MB/s,3000iops --page-cache 256MiB",
      "  headpond-lab published --fast /mnt/pmem0 --home /mnt/hdd0 --json seeds.json --report seeds.html"
    })
public final class PublishedCommand extends StandardCommand {

  @Mixin private RunPlace place;

  @Option(
      names = "--quick",
      description = "Two rounds, short turns, fewer loads: what to expect, not what to publish.")
  private boolean quick;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the HTML page of headpond-lab report into FILE.")
  private Path report;

  @Option(
      names = "--bookkeeper-home",
      paramLabel = "DIR",
      description =
          "An unpacked BookKeeper, instead of the one that is fetched from Maven Central.")
  private Path bookKeeperHome;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (report != null) {
      FolderCheck.writable(report.toAbsolutePath().getParent(), "--report");
    }
    return place.run(spec(), this::measure);
  }

  private int measure() throws IOException, InterruptedException {
    ScenarioRun run = new ScenarioRun(spec(), place);
    PrintWriter out = out();
    PublishedPlan plan = quick ? PublishedPlan.QUICK : PublishedPlan.FULL;
    boolean memory = place.fastIsVolatile();
    BurstMeasurement bursts = plan.bursts(place);
    EngineRelease bookKeeper = ScenarioEngine.BOOKKEEPER.release(bookKeeperHome, out);
    EngineRelease kafka = ScenarioEngine.KAFKA.release(null, out);
    PublishedPlan.Deaths deaths = plan.deaths(place, bookKeeper, kafka).orElse(null);
    List<ProfileMeasurement> profiles = new ArrayList<>(List.of(bursts));
    if (deaths != null) {
      profiles.addAll(deaths.both());
    }
    List<Label> labels =
        new ArrayList<>(TightTier.label(PublishedPlan.homeRate(place)).stream().toList());
    if (quick) {
      labels.add(0, QUICK);
    }
    ObjectNode document =
        run.measure(
            plan.stages(bookKeeper, kafka, place),
            profiles,
            figures -> new PublishedTable(figures, bursts, deaths, memory, quick).rows(),
            labels.toArray(Label[]::new));
    if (document == null) {
      return 1;
    }
    if (report != null) {
      ReportCommand.write(
          report, place.json() == null ? Path.of("seeds.json") : place.json(), document);
      out.printf("%s: the report%n", report);
    }
    return 0;
  }

  private static final Label QUICK =
      new Label(
          "QUICK",
          "two rounds of turns of some seconds at most, and fewer loads than headpond-lab published without --quick;"
              + " nothing dies; engines kept running between them");
}
