// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.StandardCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond top}: the topics, by what they do to the tiers. */
@Command(
    name = "top",
    description = {
      "Show the rates of appends and reads of each topic, and the places of its segments.",
      "",
      "Rates are in bytes per second over the last 10 s; READ FAST is read from tiers, READ HOME from "
          + "the engine's own disk. They come from the running broker, about a second old, and need "
          + "headpond.metrics.topics in its configuration (docs/monitoring.md). Without that key, "
          + "segments and their bytes are counted in the log directories, and the rest stays empty.",
      "",
      "Ctrl-C ends it with exit code 0. With --json each look is one document in one line, with all "
          + "topics."
    },
    footer = {
      "  headpond top /var/lib/kafka",
      "  headpond top --once --sort read-home /var/lib/kafka",
      "  headpond top --once --json /data1/kafka /data2/kafka"
    })
public final class TopCommand extends StandardCommand {
  @Mixin private LookOptions looks;

  @Parameters(
      arity = "1..*",
      paramLabel = "LOGDIR",
      description = "Directories of the broker's log.dirs.")
  private List<Path> logDirs;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      defaultValue = "appended",
      description =
          "Sort by this column, largest first: ${COMPLETION-CANDIDATES}; default: "
              + "${DEFAULT-VALUE}. Unknown values are sorted by bytes.")
  private TopTable.Column sort;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of topics to show; default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(names = "--json", description = "Print each look as JSON on stdout.")
  private boolean json;

  @Option(names = "--once", description = "Show one table, as soon as there are rates, and end.")
  private boolean once;

  @Override
  public Integer call() throws IOException, InterruptedException {
    looks.check(spec());
    if (limit < 1) {
      throw wrongUsage("--limit must be at least 1");
    }
    if (once && looks.counted()) {
      throw wrongUsage("give either --once or --count");
    }
    Set<Path> real = new LinkedHashSet<>();
    for (Path given : logDirs) {
      real.add(LogDirState.logDir(given));
    }
    TopWatch watch =
        new TopWatch(
            new StatusReport(real), new TopTable(out(), sort, limit, json, Watch.columns()));
    if (once) {
      watch.once(looks.interval());
    } else {
      watch.run(looks.interval(), looks.count());
    }
    return 0;
  }
}
