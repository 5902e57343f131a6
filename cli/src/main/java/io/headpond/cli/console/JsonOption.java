// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import picocli.CommandLine.Option;

/** The option for a result as JSON; used as {@code @Mixin JsonOption json}. */
public final class JsonOption {
  @Option(names = "--json", description = "Print the result as JSON on stdout.")
  private boolean given;

  /** True if the result is printed as JSON. */
  public boolean given() {
    return given;
  }
}
