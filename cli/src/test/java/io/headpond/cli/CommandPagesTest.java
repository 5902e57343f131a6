// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The commands are declared once, in their classes; docs/cli.md and the shell's completion are made
 * from there. {@code -Dheadpond.docs.write=true} writes them anew.
 */
class CommandPagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/cli.md");
  private static final Path COMPLETION = ROOT.resolve("conf/headpond-completion.bash");
  private static final int WIDTH = 110;

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# The headpond command\n\nMade from the commands themselves: each says the same ");
    page.append("when it is asked with `--help`.\n[`conf/headpond-completion.bash`]");
    page.append("(../conf/headpond-completion.bash) completes them in bash and zsh: source it.\n");
    add(Headpond.commandLine(), page);
    return page.toString();
  }

  private static void add(CommandLine command, StringBuilder page) {
    command.setUsageHelpAutoWidth(false).setUsageHelpWidth(WIDTH);
    page.append("\n## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```\n");
    page.append(command.getUsageMessage(Ansi.OFF).replaceAll("[ \t]+\n", "\n").strip());
    page.append("\n```\n");
    command.getSubcommands().values().stream()
        .distinct()
        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
        .forEach(each -> add(each, page));
  }

  private static void check(Path file, String expected) throws IOException {
    if (Boolean.getBoolean("headpond.docs.write")) {
      Files.writeString(file, expected);
    }
    assertThat(file)
        .as("run this test with -Dheadpond.docs.write=true to bring it up to date")
        .exists()
        .content()
        .isEqualTo(expected);
  }

  @Test
  void thePageSaysWhatTheCommandsSay() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.ROOT);
    try {
      check(PAGE, page());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void theCompletionKnowsEveryCommand() throws IOException {
    String script = AutoComplete.bash("headpond", Headpond.commandLine());
    check(COMPLETION, script.replaceAll("[ \t]+\n", "\n"));
  }
}
