// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.console.Version;
import io.headpond.lab.kafka.rig.LoadAgent;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code headpond-lab agent}: what {@code --hosts} runs on each host; not for people. */
@Command(
    name = "agent",
    hidden = true,
    description =
        "Make load as standard input asks for; headpond-lab run latency --hosts starts it by SSH.",
    footer = "  headpond-lab agent < requests")
public final class AgentCommand implements Callable<Integer> {
  @Mixin private StandardOptions standard;

  @Override
  public Integer call() throws IOException {
    LoadAgent.serve(Version.number());
    return 0;
  }
}
