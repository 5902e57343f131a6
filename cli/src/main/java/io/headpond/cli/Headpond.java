// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import io.headpond.cli.console.CommandTree;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.demo.DemoCommand;
import io.headpond.cli.doctor.DoctorCommand;
import io.headpond.cli.logdir.DrainCommand;
import io.headpond.cli.logdir.MigrateCommand;
import io.headpond.cli.logdir.RecoverCommand;
import io.headpond.cli.logdir.StatusCommand;
import io.headpond.cli.logdir.VerifyCommand;
import io.headpond.cli.plan.PlanCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code headpond} command and its entry point. */
@Command(
    name = "headpond",
    description =
        "A fast durable device in front of big disks, for unmodified Apache Kafka, "
            + "BookKeeper and Pulsar.",
    footer = {"  headpond demo", "  headpond verify --help"},
    subcommands = {
      DemoCommand.class,
      VerifyCommand.class,
      StatusCommand.class,
      MigrateCommand.class,
      DrainCommand.class,
      RecoverCommand.class,
      DoctorCommand.class,
      PlanCommand.class
    })
public final class Headpond extends StandardCommand {

  @Override
  public Integer call() {
    throw wrongUsage("a command is missing");
  }

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The whole command tree, ready to execute; errors become one line and an exit code. */
  public static CommandLine commandLine() {
    return CommandTree.of(new Headpond());
  }
}
