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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
          + " rate, nothing is throttled, and it takes half as long again."
    },
    footer = {
      "  headpond-lab published --quick --json seeds.json --report seeds.html",
      "  headpond-lab published --quick --home-limit 50MB/s,3000iops --page-cache 256MiB",
      "  headpond-lab published --parts bookies,bursts --home-limit gp3",
      "  headpond-lab published --fast /mnt/pmem0 --home /mnt/hdd0 --json seeds.json --report seeds.html"
    })
public final class PublishedCommand extends StandardCommand {

  @Mixin private RunPlace place;

  @Option(
      names = "--quick",
      description = "Two rounds, short turns, fewer loads: what to expect, not what to publish.")
  private boolean quick;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description =
          "Measure only these, of ${COMPLETION-CANDIDATES} (default: all; no deaths with --quick).")
  private Set<PublishedPart> parts = EnumSet.allOf(PublishedPart.class);

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
    List<ProfileMeasurement> profiles = new ArrayList<>();
    if (parts.contains(PublishedPart.BURSTS)) {
      profiles.add(bursts);
    }
    PublishedPlan.Deaths deaths = null;
    if (parts.contains(PublishedPart.DEATHS)) {
      deaths = plan.deaths(place, bookKeeper, kafka).orElse(null);
      profiles.addAll(deaths == null ? List.of() : deaths.both());
    }
    List<Label> labels =
        new ArrayList<>(TightTier.label(PublishedPlan.homeRate(place)).stream().toList());
    if (quick) {
      labels.add(0, QUICK);
    }
    if (parts.size() < PublishedPart.values().length) {
      labels.add(0, new Label("IN PARTS", "only " + names() + "; the rest isn't measured here"));
    }
    PublishedPlan.Deaths measured = deaths;
    ObjectNode document =
        run.measure(
            plan.stages(parts, bookKeeper, kafka, place),
            profiles,
            figures -> new PublishedTable(figures, bursts, measured, memory, quick).rows(),
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

  private String names() {
    return EnumSet.copyOf(parts).stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private static final Label QUICK =
      new Label(
          "QUICK",
          "two rounds of turns of some seconds at most, and fewer loads than headpond-lab published without --quick;"
              + " nothing dies; engines kept running between them");
}
