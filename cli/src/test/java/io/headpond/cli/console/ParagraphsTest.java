// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Headpond;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class ParagraphsTest {
  @Test
  void aParagraphsLinesAreOneAndTheSummaryAndListsAreLeftAlone() {
    assertThat(
            Paragraphs.joined(
                "The summary.", "More", "of it.", "", "There are:", "  one", "  two", "", "End"))
        .containsExactly(
            "The summary.", "More of it.", "", "There are:", "  one", "  two", "", "End");
    assertThat(Paragraphs.joined()).isEmpty();
  }

  @Test
  void theHelpIsWrappedOnce() {
    String help = Headpond.commandLine().getSubcommands().get("demo").getUsageMessage(Ansi.OFF);
    assertThat(help)
        .contains("The latter is killed by SIGKILL\nwhile clients write, and started again.");
  }
}
