// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** The options for the turns of variants; used as {@code @Mixin}. */
final class RoundsOptions {

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Turns of each variant under each load and start of engines (default: ${DEFAULT-VALUE}).")
  private Integer rounds;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "N",
      description = "Before each variant's first turn (default: ${DEFAULT-VALUE}).")
  private BigDecimal warmUpSeconds;

  /** With defaults. */
  RoundsOptions(int rounds, int warmUpSeconds) {
    this.rounds = rounds;
    this.warmUpSeconds = BigDecimal.valueOf(warmUpSeconds);
  }

  int rounds() {
    return rounds;
  }

  double warmUpSeconds() {
    return warmUpSeconds.doubleValue();
  }
}
