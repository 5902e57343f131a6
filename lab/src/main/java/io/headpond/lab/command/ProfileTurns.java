// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import picocli.CommandLine.Option;

/** The options for the turns of loads that fill a tier; used as {@code @Mixin}. */
final class ProfileTurns {

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Turns of each variant under each load (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Before each variant's first turn (default: ${DEFAULT-VALUE}).")
  private double warmUpSeconds;

  int rounds() {
    return rounds;
  }

  double warmUpSeconds() {
    return warmUpSeconds;
  }
}
