// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond-lab report}: results as a page to look at. */
@Command(
    name = "report",
    description = {
      "Show results on one HTML page, which needs nothing else.",
      "It has goals and what was measured, ratios to the baselines with their spread, charts, the machine,",
      "and the commands that repeat it."
    },
    footer = {
      "  headpond-lab report kafka.json --out report.html",
      "  headpond-lab report kafka.json journal.json migration.json --out report.html"
    })
public final class ReportCommand extends StandardCommand {
  private static final int FILES_MAX = 50;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE.json",
      description = "Results that headpond-lab wrote by --json, in the order to be shown.")
  private List<Path> files;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "The page to write; replaced if it is there.")
  private Path target;

  @Option(names = "--json", description = "Print what was written as JSON on stdout.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (files.size() > FILES_MAX) {
      throw wrongUsage("a page shows at most " + FILES_MAX + " results");
    }
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(target)) {
      throw new CommandFailure(
          target + " can't be written", "name a file in a folder that is there by --out");
    }
    Map<Path, BenchResult> results = new LinkedHashMap<>();
    for (Path file : files) {
      results.put(file, BenchResult.read(file));
    }
    Files.writeString(target, ReportPage.html(results));
    Written written = new Written(target.toString(), results.size(), Files.size(target));
    if (json) {
      Json.print(out(), written);
    } else {
      out()
          .printf(
              "%s: %s, %s%n",
              target, Units.count(written.results(), "result"), Units.bytes(written.bytes()));
    }
    return 0;
  }

  /** The report that was written. */
  private record Written(String file, int results, long bytes) {}
}
