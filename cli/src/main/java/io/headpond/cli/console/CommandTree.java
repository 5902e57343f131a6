// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import picocli.CommandLine;

/** A command with all commands below it, ready to execute. */
public final class CommandTree {
  private CommandTree() {}

  /** The tree of an annotated command; errors become one line and an exit code. */
  public static CommandLine of(Object root) {
    ErrorLine errors = new ErrorLine();
    return Paragraphs.joined(new CommandLine(root))
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
