// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardCommand;
import picocli.CommandLine.Command;

/** {@code headpond-lab run}: the parent of all scenarios. */
@Command(
    name = "run",
    description = {
      "Measure one scenario on this machine, with baselines in the same run.",
      "",
      "Instead of a scenario the name of a preset can be given: a file of conf/scenarios, with a "
          + "scenario and its options; or any other such file, as @FILE. Options that follow "
          + "replace those of the file."
    },
    footer = {
      "  headpond-lab run small-burst --json burst.json",
      "  headpond-lab run kafka --sizes 1KiB",
      "  headpond-lab run latency --engine bookkeeper"
    },
    subcommands = {
      JournalCommand.class,
      KafkaCommand.class,
      BookKeeperCommand.class,
      LedgersCommand.class,
      MigrationCommand.class,
      LatencyCommand.class,
      ThroughputCommand.class,
      IngestCommand.class,
      BurstCommand.class,
      SteadyCommand.class,
      IsolationCommand.class,
      FailureCommand.class
    })
public final class RunCommand extends StandardCommand {

  @Override
  public Integer call() {
    throw wrongUsage("say which scenario: " + String.join(", ", spec().subcommands().keySet()));
  }
}
