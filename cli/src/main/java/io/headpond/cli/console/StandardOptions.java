// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Options and help layout of every command, which {@link StandardCommand} has. Exit codes are the
 * same everywhere.
 */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisHeading = "Usage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExample:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done, and nothing is wrong.",
      "1:Something is wrong: found by a check, or the command could not do its work.",
      "2:Wrong usage: unknown option, missing or bad value."
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class StandardOptions {
  /** The option that shows an error's stack trace. */
  @Option(names = "--debug", description = "Show the stack trace of an error.")
  private boolean debug;

  /** The option that shows an error's stack trace. */
  public boolean debug() {
    return debug;
  }
}
