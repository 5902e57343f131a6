// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.StandardCommand;
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
          + " with exit code 0. With --json each interval is one document in one line.",
      "",
      "With --bookkeeper it shows where a bookie's journals and entry logs lie, on which devices,"
          + " and what a power cut does to them."
    },
    footer = {
      "  headpond status /var/lib/kafka",
      "  headpond status --json /data1/kafka",
      "  headpond status --watch --interval 2s /var/lib/kafka",
      "  headpond status --bookkeeper conf/bk_server.conf"
    })
public final class StatusCommand extends StandardCommand {
  @Mixin private LookOptions looks;

  @Parameters(
      arity = "0..*",
      paramLabel = "LOGDIR",
      description = "Directories of the broker's log.dirs.")
  private List<Path> logDirs = List.of();

  @Option(
      names = "--bookkeeper",
      paramLabel = "FILE",
      description = "A bookie's bk_server.conf, instead of LOGDIR.")
  private Path bookkeeper;

  @Mixin private JsonOption json;

  @Option(names = "--watch", description = "Show rates and forecasts until Ctrl-C.")
  private boolean watch;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (logDirs.isEmpty() == (bookkeeper == null)) {
      throw wrongUsage("give either LOGDIR or --bookkeeper FILE, and not both");
    }
    if (bookkeeper == null) {
      return showLogDirs();
    }
    if (watch) {
      throw wrongUsage("--watch is for a broker; a bookie's rates are in its metrics");
    }
    return showBookie();
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
    looks.check(spec());
    Set<Path> real = new LinkedHashSet<>();
    for (Path given : logDirs) {
      real.add(LogDirState.logDir(given));
    }
    PrintWriter out = out();
    if (watch) {
      new StatusWatch(real, out, json.given()).run(looks.interval(), looks.count());
      return 0;
    }
    StatusReport report = new StatusReport(real);
    StatusReport.ResultJson result = report.all();
    if (json.given()) {
      Json.print(out, result);
    } else {
      Lines lines = new Lines(out);
      report.damaged().forEach(finding -> lines.println("PROBLEM: " + finding.detail()));
      new StatusText(out).print(result);
    }
    return result.ok() ? 0 : 1;
  }
}
