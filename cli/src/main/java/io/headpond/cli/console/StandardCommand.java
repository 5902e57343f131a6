// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with the options of every command, which ends with an exit code. */
public abstract class StandardCommand implements Callable<Integer> {
  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  /** The command as picocli knows it. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** Where results go. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where progress and errors go. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** The refusal of the command's options for a reason. */
  protected final ParameterException wrongUsage(String reason) {
    return WrongUsage.of(spec, reason);
  }
}
