// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.StandardCommand;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond status}: where segments or entry logs lie, and what the owner is doing. */
@Command(
    name = "status",
    description = {
      "Show tiers and log directories: device, used, capacity, threshold, free, segments,"
          + " overflow.",
      "",
      "Beside a running broker its counters are shown too, about a second old: appends, moves,"
          + " and why migration is blocked. Exit code 1 if anything is"
          + " shown as a PROBLEM: a tier that is missing or has failed, a link that leads nowhere"
          + " ('headpond verify' then says more), a home that is full, blocked migration.",
      "",
      "With --watch it shows again and again how fast a broker appends and migrates, in bytes per"
          + " second over the last 10 s, and when a tier will be full at this rate. Ctrl-C ends it"
          + " with exit code 0. With --json each look is one document in one line.",
      "",
      "With --bookkeeper it shows where a bookie's journals and entry logs lie, on which devices,"
          + " and what a power cut does to them."
    },
    footer = {
      "  headpond status /var/lib/kafka",
      "  headpond status --watch --topics /var/lib/kafka",
      "  headpond status --partition orders-3 /var/lib/kafka",
      "  headpond status --bookkeeper conf/bk_server.conf"
    })
public final class StatusCommand extends StandardCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "LOGDIR",
      description = "Directories of the broker's log.dirs.")
  private List<Path> logDirs = List.of();

  @Option(names = "--watch", description = "Show rates and forecasts until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--topics",
      description =
          "Show each topic's appends, reads and overflow, and the places of its segments. Rates need"
              + " headpond.metrics.topics in the broker's configuration.")
  private boolean topics;

  @Option(
      names = "--partition",
      paramLabel = "TOPIC-N",
      description =
          "Show where each segment of this partition is stored, why, and its next move, by the"
              + " broker's own rules.")
  private String partition;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "With --partition: the broker's configuration; default: the file that it named when it ran"
              + " last.")
  private Path configFile;

  @Option(
      names = "--bookkeeper",
      paramLabel = "FILE",
      description = "A bookie's bk_server.conf, instead of LOGDIR.")
  private Path bookkeeper;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (logDirs.isEmpty() == (bookkeeper == null)) {
      throw wrongUsage("give either LOGDIR or --bookkeeper FILE, and not both");
    }
    if (bookkeeper != null && (watch || topics || partition != null)) {
      throw wrongUsage("--watch, --topics and --partition are for a broker");
    }
    if (watch && partition != null) {
      throw wrongUsage("give either --watch or --partition");
    }
    return bookkeeper == null ? showLogDirs() : showBookie();
  }

  private int showBookie() throws IOException {
    BookieStatus.ResultJson result = new BookieStatus(BookieConfiguration.read(bookkeeper)).all();
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result);
    } else {
      new BookieStatusText(out).print(result);
    }
    return result.ok() ? 0 : 1;
  }

  private int showLogDirs() throws IOException, InterruptedException {
    Set<Path> real = new LinkedHashSet<>();
    for (Path given : logDirs) {
      real.add(LogDirState.logDir(given));
    }
    PrintWriter out = out();
    StatusReport report = new StatusReport(real, topics);
    if (watch) {
      new StatusWatch(report, out, json.given()).run(StatusWatch.INTERVAL, Long.MAX_VALUE);
      return 0;
    }
    StatusReport.ResultJson result = report.all();
    if (partition != null) {
      result = result.with(explanation(real, report));
    }
    if (json.given()) {
      Json.print(out, result);
    } else {
      Lines lines = new Lines(out);
      report.damaged().forEach(finding -> lines.println("PROBLEM: " + finding.detail()));
      new StatusText(out).print(result);
    }
    return result.ok() ? 0 : 1;
  }

  private Explanation.PartitionJson explanation(Set<Path> real, StatusReport report)
      throws IOException {
    for (Path logDir : real) {
      Path directory = logDir.resolve(partition);
      if (LogDirScan.partitions(logDir).contains(directory)) {
        StoreConfig config = BrokerConfiguration.of(logDir, configFile, report.counters());
        return new Explanation(logDir, config, report.counters(), report.ownerRuns()).of(directory);
      }
    }
    throw new CommandFailure(
        "no partition directory " + partition + " in " + logDirs,
        "give it as Kafka names it, as orders-3, and all directories of log.dirs");
  }
}
