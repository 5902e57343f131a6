// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture;

import io.headpond.cli.console.CommandTree;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** One run of a command inside the test's JVM, with what it printed. */
public record Run(int exitCode, String out, String err) {

  /** Runs a command of its own, without a tree above it. */
  public static Run of(Object command, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CommandTree.of(command);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    int exitCode = line.execute(args);
    return new Run(exitCode, out.toString(), err.toString());
  }
}
