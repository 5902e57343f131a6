// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** The options for the starts of engines, and what follows each; used as {@code @Mixin}. */
final class StartsOptions {

  @Option(
      names = "--starts",
      paramLabel = "N",
      defaultValue = "2",
      description = "Fresh starts of all engines (default: ${DEFAULT-VALUE}).")
  private int starts;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Measured length of each turn or phase, seconds (default: ${DEFAULT-VALUE}).")
  private BigDecimal seconds;

  /** With a default. */
  StartsOptions(int seconds) {
    this.seconds = BigDecimal.valueOf(seconds);
  }

  int starts() {
    return starts;
  }

  double seconds() {
    return seconds.doubleValue();
  }
}
