// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Joins each paragraph of a command's description to one line, so that only the help's width wraps
 * it.
 */
public final class Paragraphs {
  private Paragraphs() {}

  /** Of a command and all below it. */
  public static CommandLine joined(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    usage.description(joined(usage.description()));
    command.getSubcommands().values().forEach(Paragraphs::joined);
    return command;
  }

  /** The first line is the summary; what is indented stays a line of its own. */
  static String[] joined(String... lines) {
    List<String> paragraphs = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      if (i > 1 && goesOn(lines[i - 1]) && goesOn(lines[i])) {
        paragraphs.add(paragraphs.remove(paragraphs.size() - 1) + " " + lines[i]);
      } else {
        paragraphs.add(lines[i]);
      }
    }
    return paragraphs.toArray(String[]::new);
  }

  private static boolean goesOn(String line) {
    return !line.isBlank() && !line.startsWith(" ");
  }
}
