// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Headpond;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The commands are declared once, in their classes; their pages are made from there. {@code
 * -Dheadpond.docs.write=true} writes them anew.
 */
class CommandPagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int WIDTH = 110;

  /** A command, and the page about it. */
  enum Page {
    HEADPOND("docs/cli.md") {
      @Override
      CommandLine command() {
        return Headpond.commandLine();
      }
    },
    HEADPOND_LAB("docs/lab.md") {
      @Override
      CommandLine command() {
        return HeadpondLab.commandLine();
      }
    };

    private final Path file;

    Page(String file) {
      this.file = ROOT.resolve(file);
    }

    abstract CommandLine command();

    String id() {
      return command().getCommandName();
    }
  }

  private static String text(Page page) {
    StringBuilder text = new StringBuilder();
    text.append("# The ").append(page.id()).append(" command\n\n");
    text.append("Made from the commands themselves: each says the same ");
    text.append("when it is asked with `--help`.\n`conf/").append(page.id());
    text.append("-completion.bash` in the archive completes them in bash and zsh: source it.\n");
    add(page.command(), text);
    return text.toString();
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

  @ParameterizedTest
  @EnumSource
  void thePageSaysWhatTheCommandsSay(Page page) throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.ROOT);
    try {
      check(page.file, text(page));
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyCommandShowsAnExampleAndItsExitCodes(Page page) {
    for (CommandLine command : tree(page.command())) {
      String name = command.getCommandSpec().qualifiedName();
      String help = command.getUsageMessage(Ansi.OFF);
      assertThat(help).as(name).contains("Example:").contains("Exit codes:").contains("--debug");
      assertThat(help.substring(help.indexOf("Example:"))).as(name).contains("  " + name + " ");
      // The first line is all that the list of commands shows.
      assertThat(command.getCommandSpec().usageMessage().description()[0]).as(name).endsWith(".");
    }
  }

  private static List<CommandLine> tree(CommandLine root) {
    List<CommandLine> all = new ArrayList<>(List.of(root));
    root.getSubcommands().values().forEach(child -> all.addAll(tree(child)));
    return all;
  }
}
