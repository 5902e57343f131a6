// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** One run of a command inside the test's JVM, with what it printed. */
public record Run(int exitCode, String out, String err) {

  /** Runs {@code headpond args...}. */
  public static Run of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Headpond.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    int exitCode = command.execute(args);
    return new Run(exitCode, out.toString(), err.toString());
  }

  /** {@code headpond args...} in a process of its own, to be killed. */
  public static ProcessBuilder child(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Dsun.jnu.encoding=UTF-8", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Headpond.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  /** True if there is such a program, and it ended well. */
  public static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }
}
