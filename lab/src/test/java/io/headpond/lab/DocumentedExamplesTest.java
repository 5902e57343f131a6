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
import java.util.Map;
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

  private static final Map<String, CommandLine> COMMANDS =
      Map.of("headpond", Headpond.commandLine(), "headpond-lab", HeadpondLab.commandLine());

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

  /** A command in a line of text, without its arguments where these are left out. */
  private static final Pattern IN_TEXT = Pattern.compile("`(headpond(?:-lab)?) ([^`]+)`");

  private static final Pattern SUBCOMMAND = Pattern.compile("[a-z][a-z-]*");

  private static final Pattern OPTION = Pattern.compile("(?<=^|[\\s\\[])--[a-z][a-z-]*");

  /** Names what earlier versions had. */
  private static final String CHANGES = "CHANGELOG.md";

  private static final Pattern TEST =
      Pattern.compile("(?<![*\\w])([A-Z][A-Za-z0-9]*[a-z0-9](?:IT|Test))\\b");

  /** Results name the commands of the commit that recorded them. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : List.of("", "docs", "examples")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
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
            COMMANDS.get(command.group(1)).parseArgs(words);
          } catch (ParameterException e) {
            throw new AssertionError(page + ": " + line.strip() + ": " + e.getMessage(), e);
          }
          understood++;
        }
      }
    }
    assertThat(understood).isGreaterThan(30);
  }

  @Test
  void everyCommandInTheTextIsACommandWithThoseOptions() throws IOException {
    int seen = 0;
    for (Path page : pages()) {
      if (page.endsWith(CHANGES)) {
        continue;
      }
      Matcher span = IN_TEXT.matcher(Files.readString(page).replaceAll("\\s+", " "));
      while (span.find()) {
        Matcher name = SUBCOMMAND.matcher(span.group(2));
        if (name.lookingAt()) {
          CommandLine command = COMMANDS.get(span.group(1)).getSubcommands().get(name.group());
          assertThat(command).as("%s: %s", page, span.group()).isNotNull();
          Matcher option = OPTION.matcher(span.group(2));
          while (option.find()) {
            assertThat(options(command)).as("%s: %s", page, span.group()).contains(option.group());
          }
          seen++;
        }
      }
    }
    assertThat(seen).isGreaterThan(100);
  }

  /** Those of a command and of all below it: a text may leave out the name between. */
  private static Set<String> options(CommandLine command) {
    Set<String> options = new TreeSet<>(command.getCommandSpec().optionsMap().keySet());
    command.getSubcommands().values().forEach(each -> options.addAll(options(each)));
    return options;
  }

  @Test
  void everyExampleOfTheHelpIsUnderstood() {
    int understood = 0;
    for (CommandLine root : COMMANDS.values()) {
      for (CommandLine command : tree(root)) {
        String footer = String.join("\n", command.getCommandSpec().usageMessage().footer());
        for (String line : footer.replaceAll("\\\\\n\\s*", " ").split("\n")) {
          Matcher example = COMMAND.matcher("  " + line);
          if (example.matches() && !isPreset(words(example.group(2)))) {
            try {
              root.parseArgs(words(example.group(2).replaceAll(" [<>] .*", "")));
            } catch (ParameterException e) {
              throw new AssertionError(line.strip() + ": " + e.getMessage(), e);
            }
            understood++;
          }
        }
      }
    }
    assertThat(understood).isGreaterThan(50);
  }

  /** The name of a file with options, which is put in its place before they are parsed. */
  private static boolean isPreset(String[] words) {
    return words.length > 1
        && words[0].equals("run")
        && Files.exists(ROOT.resolve("conf/scenarios").resolve(words[1] + ".args"));
  }

  private static List<CommandLine> tree(CommandLine root) {
    List<CommandLine> all = new ArrayList<>(List.of(root));
    root.getSubcommands().values().forEach(child -> all.addAll(tree(child)));
    return all;
  }

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    Set<String> known = new TreeSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            files
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".java"))
                .forEach(name -> known.add(name.replace(".java", "")));
          }
        }
      }
    }
    assertThat(known).hasSizeGreaterThan(200);
    known.add("NoUnitTest"); // names none, on purpose
    for (Path page : pages()) {
      Matcher test = TEST.matcher(Files.readString(page));
      while (test.find()) {
        assertThat(known.contains(test.group(1))).as("%s: %s", page, test.group(1)).isTrue();
      }
    }
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
