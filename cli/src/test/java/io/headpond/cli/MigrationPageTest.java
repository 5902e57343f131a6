// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/migration.md shows of a command's output is what the command prints. */
class MigrationPageTest {
  private static final Path PAGE =
      Path.of("..").toAbsolutePath().normalize().resolve("docs/migration.md");

  @Test
  void thePlanOnThePageIsTheOneThatIsPrinted() throws IOException {
    String page = Files.readString(PAGE);
    String command =
        page.lines()
            .filter(line -> line.startsWith("    $ headpond plan "))
            .findFirst()
            .orElseThrow()
            .substring("    $ headpond ".length());
    Run run = Run.of(List.of(command.split(" ")).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(page)
        .contains(run.out().lines().map(line -> "    " + line).collect(Collectors.joining("\n")));
  }
}
