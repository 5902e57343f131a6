// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import io.headpond.cli.Headpond;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The headpond command, run in this JVM. */
public final class Command {

  private Command() {}

  /**
   * Runs it to its end.
   *
   * @param text gets what it prints on stdout and stderr
   * @return its exit code
   */
  public static int run(StringWriter text, Object... arguments) {
    CommandLine command = Headpond.commandLine();
    command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    return command.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
  }
}
