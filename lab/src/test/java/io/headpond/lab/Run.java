// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** One run of a command inside the test's JVM, with what it printed. */
public record Run(int exitCode, String out, String err) {

  /** Runs {@code headpond-lab args...}. */
  public static Run of(String... args) {
    return of(HeadpondLab.commandLine(), args);
  }

  /** Runs another command. */
  public static Run of(CommandLine command, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    int exitCode = command.execute(args);
    return new Run(exitCode, out.toString(), err.toString());
  }
}
