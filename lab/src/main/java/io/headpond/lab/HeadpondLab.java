// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab;

import io.headpond.cli.console.CommandTree;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.command.AgentCommand;
import io.headpond.lab.command.ChannelCommand;
import io.headpond.lab.command.Presets;
import io.headpond.lab.command.RunCommand;
import io.headpond.lab.command.WorkloadCommand;
import io.headpond.lab.results.CompareCommand;
import io.headpond.lab.results.ReportCommand;
import io.headpond.torture.powercut.PowerCutCommand;
import io.headpond.torture.soak.SoakCommand;
import java.util.Collection;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code headpond-lab} command and its entry point. */
@Command(
    name = "headpond-lab",
    description = "Measure Headpond with real engines, and torture it.",
    footer = {"  headpond-lab run kafka --sizes 1KiB", "  headpond-lab soak --duration 45m"},
    subcommands = {
      RunCommand.class,
      WorkloadCommand.class,
      ChannelCommand.class,
      CompareCommand.class,
      ReportCommand.class,
      PowerCutCommand.class,
      SoakCommand.class,
      AgentCommand.class
    })
public final class HeadpondLab extends StandardCommand {

  @Override
  public Integer call() {
    throw wrongUsage("a command is missing");
  }

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    CommandLine lab = commandLine();
    Collection<String> scenarios = lab.getSubcommands().get("run").getSubcommands().keySet();
    System.exit(lab.execute(Presets.ofInstallation().expanded(args, scenarios)));
  }

  /** The whole command tree, ready to execute. An option's last value counts: presets have some. */
  public static CommandLine commandLine() {
    return CommandTree.of(new HeadpondLab()).setOverwrittenOptionsAllowed(true);
  }
}
