// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.time.Duration;
import picocli.CommandLine;

/** A command with all commands below it, ready to execute. */
public final class CommandTree {
  private CommandTree() {}

  /**
   * The tree of an annotated command. Times are given with their units; errors become one line and
   * an exit code.
   */
  public static CommandLine of(Object root) {
    ErrorLine errors = new ErrorLine();
    return Paragraphs.joined(new CommandLine(root))
        .registerConverter(Duration.class, new DurationConverter())
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
