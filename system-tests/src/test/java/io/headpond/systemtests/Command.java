// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import io.headpond.cli.Headpond;
import io.headpond.lab.HeadpondLab;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands {@code headpond} and {@code headpond-lab}, run in this JVM. */
public final class Command {

  private Command() {}

  /**
   * Runs {@code headpond} to its end.
   *
   * @param text gets what it prints on stdout and stderr
   * @return its exit code
   */
  public static int run(StringWriter text, Object... arguments) {
    return run(Headpond.commandLine(), text, arguments);
  }

  /** The same of {@code headpond-lab}. */
  public static int lab(StringWriter text, Object... arguments) {
    return run(HeadpondLab.commandLine(), text, arguments);
  }

  private static int run(CommandLine command, StringWriter text, Object... arguments) {
    command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    return command.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
  }
}
