// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.HeadpondLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class PresetsTest {
  private static final Path SHIPPED = Path.of("..", "conf", "scenarios");

  @Test
  void everyPresetIsAScenarioWithOptionsThatItKnows() throws IOException {
    Presets presets = new Presets(SHIPPED);
    assertThat(presets.names()).contains("small-burst", "small-steady", "small-failure");
    for (String name : presets.names()) {
      CommandLine lab = HeadpondLab.commandLine();
      Set<String> scenarios = lab.getSubcommands().get("run").getSubcommands().keySet();
      String[] args = presets.expanded(new String[] {"run", name, "--rounds", "3"}, scenarios);
      ParseResult scenario = lab.parseArgs(args).subcommand().subcommand();
      assertThat(scenario.commandSpec().name()).as(name).isIn(scenarios);
      assertThat(scenario.<Integer>matchedOptionValue("--rounds", 0)).as(name).isEqualTo(3);
    }
  }

  @Test
  void aScenarioAndAnUnknownNameStayAsTheyAre(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("latency.args"), "burst");
    Presets presets = new Presets(folder);
    for (String[] args :
        new String[][] {{"run", "latency"}, {"run", "../latency"}, {"run", "x"}, {"run"}, {}}) {
      assertThat(presets.expanded(args, Set.of("latency"))).isSameAs(args);
    }
  }
}
