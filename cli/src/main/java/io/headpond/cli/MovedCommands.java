// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import io.headpond.cli.console.ShellWords;
import io.headpond.cli.console.Version;
import io.headpond.store.event.PlainText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Commands that were once below {@code headpond} and are below {@code headpond-lab} now. An old
 * spelling ends with exit code 2 and one line that holds the new one.
 */
final class MovedCommands implements IParameterExceptionHandler, IExecutionStrategy {
  private static final String LAB = "headpond-lab";
  private static final Set<String> TORTURES = Set.of("powercut", "soak");

  /** Commands of {@code bench} that aren't scenarios. */
  private static final Set<String> NO_SCENARIOS =
      Set.of("channel", "workload", "compare", "report", "agent");

  private final IExecutionStrategy commands = new RunLast();
  private final IParameterExceptionHandler others;

  /** {@code others} handles what wasn't moved. */
  MovedCommands(IParameterExceptionHandler others) {
    this.others = others;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) throws Exception {
    return told(e.getCommandLine(), List.of(args))
        ? ExitCode.USAGE
        : others.handleParseException(e, args);
  }

  /** With {@code --help} or {@code --version} an unknown command is no error of the parser's. */
  @Override
  public int execute(ParseResult parsed) {
    return told(parsed.commandSpec().commandLine(), parsed.originalArgs())
        ? ExitCode.USAGE
        : commands.execute(parsed);
  }

  private static boolean told(CommandLine command, List<String> args) {
    Optional<List<String>> moved = newSpelling(args);
    if (moved.isPresent()) {
      PrintWriter err = command.getErr();
      err.printf(
          "headpond: this has moved, type: %s (%s is in the source tree and in %s-%s.tar.gz)%n",
          PlainText.of(ShellWords.of(moved.get())), LAB, LAB, Version.number());
      err.flush();
    }
    return moved.isPresent();
  }

  /** The whole new command line, if the old one isn't a command of {@code headpond} any more. */
  static Optional<List<String>> newSpelling(List<String> args) {
    int at = 0;
    while (at < args.size() && args.get(at).startsWith("-")) {
      at++;
    }
    if (at == args.size()) {
      return Optional.empty();
    }
    List<String> rest = args.subList(at + 1, args.size());
    List<String> words = new ArrayList<>(List.of(LAB));
    words.addAll(args.subList(0, at));
    if (TORTURES.contains(args.get(at))) {
      words.add(args.get(at));
    } else if (!args.get(at).equals("bench")) {
      return Optional.empty();
    } else if (!rest.isEmpty() && rest.get(0).equals("seeds")) {
      words.add("published");
      rest = rest.subList(1, rest.size());
    } else if (!rest.isEmpty()
        && !rest.get(0).startsWith("-")
        && !NO_SCENARIOS.contains(rest.get(0))) {
      words.add("run");
    }
    words.addAll(rest);
    return Optional.of(words);
  }
}
