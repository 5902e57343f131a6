// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.store.config.NearestKey;
import io.headpond.store.event.PlainText;
import java.io.FileNotFoundException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
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
    err.println(program(command) + ": " + PlainText.of(wrongUsage(e)));
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

  /**
   * What was wrong, in words that need no parser's; with what was probably meant, if any is near.
   */
  private static String wrongUsage(ParameterException e) {
    String message = e.getMessage().lines().findFirst().orElse("wrong usage");
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return wrongValue(e, message);
    }
    CommandLine command = e.getCommandLine();
    String word = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
    boolean option = word.startsWith("-");
    if (!option && !command.getSubcommands().isEmpty()) {
      message = "unknown command '" + word + "'";
    }
    return message + meant(word, option ? options(command) : commands(command));
  }

  /** A value that an argument doesn't take, with those that it takes if they are known. */
  private static String wrongValue(ParameterException e, String message) {
    ArgSpec argument = e.getArgSpec();
    if (argument == null || e.getValue() == null) {
      return message;
    }
    Class<?> type = argument.auxiliaryTypes()[0];
    if (!type.isEnum()) {
      return message.replaceFirst(" is not an? (int|long|double)$", " is not a number");
    }
    List<String> known =
        Stream.of(type.getEnumConstants())
            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
            .toList();
    return message.replaceFirst(": expected one of .*", ": ")
        + ("'" + e.getValue() + "' is none of " + String.join(", ", known))
        + meant(e.getValue().toLowerCase(Locale.ROOT), known);
  }

  private static String meant(String typed, List<String> known) {
    return NearestKey.of(typed, known).map(near -> "; did you mean " + near + "?").orElse("");
  }

  private static List<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .flatMap(option -> Arrays.stream(option.names()))
        .toList();
  }

  /** With what other programs have as commands, {@code help} and {@code version}. */
  private static List<String> commands(CommandLine command) {
    return Stream.concat(
            command.getSubcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey),
            Stream.of("--help", "--version"))
        .toList();
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
