// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class HeadpondTest {

  @Test
  void everyCommandShowsAnExampleAndItsExitCodes() {
    for (CommandLine command : tree(Headpond.commandLine())) {
      String name = command.getCommandSpec().qualifiedName();
      String help = command.getUsageMessage(Ansi.OFF);
      assertThat(help).as(name).contains("Example:").contains("Exit codes:").contains("--debug");
      assertThat(help.substring(help.indexOf("Example:"))).as(name).contains("  " + name + " ");
      // The first line is all that the list of commands shows.
      assertThat(command.getCommandSpec().usageMessage().description()[0]).as(name).endsWith(".");
    }
  }

  @Test
  void theVersionIsTheOneOfTheBuild() {
    Run run = Run.of("--version");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("headpond ")
        .doesNotContain("${")
        .contains("Java " + Runtime.version());
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    Run run = Run.of("no-such-command");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("no-such-command").contains("headpond --help");
  }

  @Test
  void noCommandAtAllIsWrongUsage() {
    Run run = Run.of();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("headpond --help");
  }

  private static List<CommandLine> tree(CommandLine root) {
    List<CommandLine> all = new ArrayList<>(List.of(root));
    root.getSubcommands().values().forEach(child -> all.addAll(tree(child)));
    return all;
  }
}
