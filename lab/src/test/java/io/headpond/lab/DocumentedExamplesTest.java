// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.JournalSettings;
import io.headpond.bookkeeper.ledger.LedgerKeys;
import io.headpond.cli.Headpond;
import io.headpond.store.config.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What the documentation tells people to type is what the program understands. */
class DocumentedExamplesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|\\S+");

  /** In a block of code: indented by four. */
  private static final Pattern COMMAND =
      Pattern.compile("^ {4} *(?:\\$ )?(?:\\./|/opt/headpond/bin/)?(headpond(?:-lab)?) (.*)$");

  private static final Pattern KEY = Pattern.compile("\\b(headpond\\.[a-z0-9.NAME-]+)=");

  /** System properties of the launcher, the tests and the build, and a bookie's host names. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "headpond\\.(test|crash|migration\\.(rounds|seed)|docs|bookkeeper|powercut|config|model)"
              + "(\\..*)?");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      List<Path> pages = new ArrayList<>(docs.filter(f -> f.toString().endsWith(".md")).toList());
      pages.add(ROOT.resolve("README.md"));
      return pages;
    }
  }

  @Test
  void everyCommandInABlockOfCodeIsUnderstood() throws IOException {
    int understood = 0;
    for (Path page : pages()) {
      String text = Files.readString(page).replaceAll("\\\\\n\\s*", " ");
      for (String line : text.split("\n")) {
        Matcher command = COMMAND.matcher(line);
        if (command.matches() && !line.contains("...")) {
          String[] words = words(command.group(2).replaceAll("( {2,}| #| > ).*|'", ""));
          try {
            command(command.group(1)).parseArgs(words);
          } catch (ParameterException e) {
            throw new AssertionError(page + ": " + line.strip() + ": " + e.getMessage(), e);
          }
          understood++;
        }
      }
    }
    assertThat(understood).isGreaterThan(30);
  }

  private static CommandLine command(String name) {
    return name.equals("headpond") ? Headpond.commandLine() : HeadpondLab.commandLine();
  }

  /** As a shell takes a line apart that has double quotes at most. */
  private static String[] words(String line) {
    return WORD.matcher(line)
        .results()
        .map(word -> word.group(1) == null ? word.group() : word.group(1))
        .toArray(String[]::new);
  }

  @Test
  void everyKeyOfAnExampleIsAKey() throws IOException {
    Set<String> known = new TreeSet<>();
    Stream.of(ConfigKey.ALL, JournalSettings.ALL, LedgerKeys.ALL)
        .flatMap(List::stream)
        .forEach(key -> known.add(key.name()));
    Set<String> seen = new TreeSet<>();
    for (Path page : pages()) {
      Matcher key = KEY.matcher(Files.readString(page));
      while (key.find()) {
        String name =
            key.group(1).replaceFirst("^headpond\\.tier\\.[^.]+\\.", "headpond.tier.NAME.");
        if (!OTHERS.matcher(name).matches()) {
          assertThat(known).as(page.toString()).contains(name);
          seen.add(name);
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(10);
  }
}
