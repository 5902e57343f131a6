// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.store.event.PlainText;
import java.io.FileNotFoundException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever a command throws into one line on stderr and an exit code. */
public final class ErrorLine implements IExecutionExceptionHandler, IParameterExceptionHandler {

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println(program(command) + ": " + PlainText.of(describe(e)));
    if (debug(parsed)) {
      e.printStackTrace(err);
    }
    err.flush();
    return ExitCode.SOFTWARE;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    String message = e.getMessage().lines().findFirst().orElse("wrong usage");
    err.println(program(command) + ": " + PlainText.of(message) + meant(e));
    if (args.length <= name.split(" ").length - 1) {
      example(command).ifPresent(err::println);
    }
    err.println("Try '" + name + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }

  /** The first example of a command, for someone who gave it nothing. */
  private static Optional<String> example(CommandLine command) {
    return Arrays.stream(command.getCommandSpec().usageMessage().footer())
        .filter(line -> !line.isBlank())
        .map(line -> "For example: " + line.strip())
        .findFirst();
  }

  private static String program(CommandLine command) {
    return command.getCommandSpec().root().name();
  }

  /** Words that were probably meant instead of one that nothing understands; may be empty. */
  private static String meant(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    Map<String, CommandLine> commands = e.getCommandLine().getSubcommands();
    List<String> similar =
        unmatched.getSuggestions().stream()
            .map(word -> word.substring(word.lastIndexOf(' ') + 1))
            .filter(word -> !hidden(commands.get(word)))
            .toList();
    return similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
  }

  private static boolean hidden(CommandLine command) {
    return command != null && command.getCommandSpec().usageMessage().hidden();
  }

  /** Cause and remedy in one line; never only an exception's class name. */
  static String describe(Throwable e) {
    if (e instanceof CommandFailure) {
      return e.getMessage();
    }
    if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
      return e.getMessage() + ": no such file or directory; check the path";
    }
    if (e instanceof AccessDeniedException) {
      return e.getMessage() + ": permission denied; run as the user that owns the log directory";
    }
    if (e instanceof NotDirectoryException) {
      return e.getMessage() + ": not a directory; check the path";
    }
    if (e instanceof FileSystemException failed) {
      return failed.getFile() + ": " + failed.getReason();
    }
    String message = e.getMessage();
    if (message == null || message.isBlank()) {
      return "unexpected " + e.getClass().getName() + "; run again with --debug and report it";
    }
    return message;
  }

  private static boolean debug(ParseResult parsed) {
    for (ParseResult at = parsed; at != null; at = at.subcommand()) {
      if (at.hasMatchedOption("--debug")) {
        return true;
      }
    }
    return false;
  }
}
