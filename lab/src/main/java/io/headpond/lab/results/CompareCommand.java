// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.results.Change.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond-lab compare}: what got better or worse between two runs. */
@Command(
    name = "compare",
    description = {
      "Compare two results of the same benchmark, figure by figure.",
      "A rank test over the values of the rounds says what got better, what got worse, and what can't",
      "be told apart. What decides are ratios to the baselines of the same run, since they don't depend on",
      "how fast the machine was that day. Results of different machines, versions or settings are",
      "refused unless --anyway is given.",
      "Exit code 1 if they are refused, or with --fail-on-worse if something got worse."
    },
    footer = {
      "  headpond-lab compare before.json after.json",
      "  headpond-lab compare before.json after.json --fail-on-worse"
    })
public final class CompareCommand extends StandardCommand {
  @Parameters(index = "0", paramLabel = "A.json", description = "The earlier result.")
  private Path fileA;

  @Parameters(index = "1", paramLabel = "B.json", description = "The later one.")
  private Path fileB;

  @Option(
      names = "--anyway",
      description = "Compare although machine, versions or settings differ, and list how.")
  private boolean anyway;

  @Option(
      names = "--fail-on-worse",
      description = "End with exit code 1 if a figure that decides got worse.")
  private boolean failOnWorse;

  @Option(names = "--json", description = "Print the comparison as JSON on stdout.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    ResultComparison comparison =
        ResultComparison.of(BenchResult.read(fileA), BenchResult.read(fileB));
    if (!comparison.differences().isEmpty() && !anyway) {
      throw new CommandFailure(
          fileA
              + " and "
              + fileB
              + " were not measured alike: "
              + String.join("; ", comparison.differences()),
          "measure both alike, or say --anyway");
    }
    PrintWriter out = out();
    if (json) {
      Json.print(out, ComparisonDocument.of(comparison));
    } else {
      new ComparisonText(out).print(fileA, fileB, comparison);
    }
    return failOnWorse && comparison.count(Verdict.WORSE) > 0 ? 1 : 0;
  }
}
