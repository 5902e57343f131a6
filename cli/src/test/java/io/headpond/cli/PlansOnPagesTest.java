// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages show as output of {@code headpond plan} is what the command prints. */
class PlansOnPagesTest {
  private static final Path DOCS = Path.of("..").toAbsolutePath().normalize().resolve("docs");
  private static final String COMMAND = "    $ headpond plan ";

  @ParameterizedTest
  @CsvSource({"migration.md, 1", "sizing.md, 8"})
  void thePlansOfAPageAreThoseThatArePrinted(String name, int plans) throws IOException {
    String page = Files.readString(DOCS.resolve(name));
    List<String> commands = page.lines().filter(line -> line.startsWith(COMMAND)).toList();
    assertThat(commands).hasSize(plans);
    for (String command : commands) {
      Run run = Run.of(command.substring("    $ headpond ".length()).split(" "));
      assertThat(run.err()).as(command).isEmpty();
      String shown = run.out().lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
      assertThat(page).contains(command + "\n" + shown + "\n\n");
      assertThat(run.exitCode()).as(command).isEqualTo(shown.contains("PROBLEM") ? 1 : 0);
    }
  }
}
