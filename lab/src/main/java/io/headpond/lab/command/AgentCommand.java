// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Version;
import io.headpond.lab.kafka.rig.LoadAgent;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code headpond-lab agent}: what {@code --hosts} runs on each host; not for people. */
@Command(
    name = "agent",
    hidden = true,
    description =
        "Make load as standard input asks for; headpond-lab run latency --hosts starts it by SSH.",
    footer = "  headpond-lab agent < requests")
public final class AgentCommand extends StandardCommand {

  @Override
  public Integer call() throws IOException {
    LoadAgent.serve(Version.number());
    return 0;
  }
}
