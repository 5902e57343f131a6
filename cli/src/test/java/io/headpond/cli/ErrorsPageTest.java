// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.nio.KafkaCodes;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreCodes;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What an operator is told is declared once, by each module; docs/errors.md is made from there, and
 * nothing is logged beside it. {@code -Dheadpond.docs.write=true} writes the page's tables anew.
 */
class ErrorsPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/errors.md");
  private static final String START = "<!-- codes: written from the code -->\n";
  private static final String END = "<!-- end of codes -->\n";

  /** Codes that an operator can tell apart; two that say the same become one. */
  private static final int CODES_MAX = 85;

  private static final Map<String, String> SECTIONS =
      Map.of(
          "HP01", "Refused at the start",
          "HP02", "Found at the start",
          "HP03", "Tiers and log directories",
          "HP04", "Migration",
          "HP05", "Clearing away",
          "HP06", "Kafka",
          "HP07", "A bookie's journal",
          "HP08", "A bookie's entry logs");

  private static final Map<Class<?>, List<EventCode>> DECLARED = new LinkedHashMap<>();

  static {
    DECLARED.put(StartCodes.class, StartCodes.ALL);
    DECLARED.put(PlaceCodes.class, PlaceCodes.ALL);
    DECLARED.put(BackgroundCodes.class, BackgroundCodes.ALL);
    DECLARED.put(KafkaCodes.class, KafkaCodes.ALL);
    DECLARED.put(BookieCodes.class, BookieCodes.ALL);
  }

  /** What runs inside an engine, but for pmem, which knows no store: its messages have no code. */
  private static final List<String> ENGINES = List.of("store", "nio", "bookkeeper", "observe");

  /** The command says some codes before a start. */
  private static final List<String> MODULES =
      List.of("store", "nio", "bookkeeper", "observe", "cli");

  private static final List<String> TESTED =
      List.of("store", "nio", "bookkeeper", "cli", "system-tests");

  private static final Pattern TAG = Pattern.compile("@Tag\\(\"(HP\\d{4})\"\\)\\s+(@|void)");
  private static final Pattern LOGGED = Pattern.compile("\\.\\s*(warn|error)\\(");
  private static final Pattern CALL =
      Pattern.compile("\\b(\\w+Codes)\\s*\\.\\s*([A-Z_]+)\\s*\\.\\s*(log|refusal|text|words)\\(");

  private static List<EventCode> all() {
    return DECLARED.values().stream().flatMap(List::stream).toList();
  }

  private static String tables() {
    StringBuilder text = new StringBuilder();
    String section = "";
    for (EventCode code : all()) {
      if (!code.code().startsWith(section) || section.isEmpty()) {
        section = code.code().substring(0, 4);
        text.append("\n## ").append(SECTIONS.get(section));
        text.append("\n\n| code | level | message | meaning | remedy |\n|---|---|---|---|---|\n");
      }
      String anchor = code.code().toLowerCase(Locale.ROOT);
      text.append("| <a id=\"").append(anchor).append("\"></a>").append(code.code()).append(" | ");
      text.append(code.severity().name().toLowerCase(Locale.ROOT)).append(" | `");
      text.append(code.what()).append("` | ").append(code.meaning()).append(" | ");
      text.append(code.remedy()).append(" |\n");
    }
    return text.append('\n').toString();
  }

  @Test
  void thePageListsExactlyTheCodesThatThereAre() throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf(START) + START.length();
    if (Boolean.getBoolean("headpond.docs.write")) {
      page = page.substring(0, start) + tables() + page.substring(page.indexOf(END));
      Files.writeString(PAGE, page);
    }
    assertThat(page.substring(start, page.indexOf(END)))
        .as("run this test with -Dheadpond.docs.write=true to bring docs/errors.md up to date")
        .isEqualTo(tables());
  }

  @Test
  void everyCodeHasAPlaceAMeaningAndARemedy() {
    assertThat(all())
        .hasSizeLessThanOrEqualTo(CODES_MAX)
        .extracting(EventCode::code)
        .doesNotHaveDuplicates()
        .isSorted();
    for (EventCode code : all()) {
      assertThat(code.code()).matches("HP\\d{4}");
      assertThat(SECTIONS).containsKey(code.code().substring(0, 4));
      assertThat(List.of(code.what(), code.meaning(), code.remedy()))
          .as(code.code())
          .noneMatch(text -> text.isBlank() || text.contains("|"));
      assertThat(code.what()).as(code.code()).doesNotEndWith(".");
      assertThat(code.meaning()).as(code.code()).endsWith(".");
    }
  }

  @Test
  void theStoresListHasAllOfItsCodes() {
    assertThat(StoreCodes.ALL)
        .containsExactlyElementsOf(
            all().stream().filter(code -> code.code().compareTo("HP06") < 0).toList());
  }

  @Test
  void everyCodeThatIsDeclaredIsListed() throws IllegalAccessException {
    for (Map.Entry<Class<?>, List<EventCode>> declared : DECLARED.entrySet()) {
      assertThat(constants(declared.getKey()).values())
          .containsExactlyElementsOf(declared.getValue());
    }
  }

  private static Map<String, EventCode> constants(Class<?> type) throws IllegalAccessException {
    Map<String, EventCode> found = new LinkedHashMap<>();
    for (Field field : type.getDeclaredFields()) {
      if (field.getType() == EventCode.class) {
        field.setAccessible(true);
        found.put(type.getSimpleName() + "." + field.getName(), (EventCode) field.get(null));
      }
    }
    return found;
  }

  @Test
  void everyWarningAndErrorHasACode() throws IOException {
    for (Map.Entry<Path, String> source : sources(ENGINES, "src/main").entrySet()) {
      if (!source.getKey().endsWith("EventCode.java")) {
        assertThat(LOGGED.matcher(source.getValue()).find()).as(source.getKey() + "").isFalse();
      }
    }
  }

  @Test
  void everyCodeIsSaidSomewhereWithAsManyValuesAsItsTextHolds() throws Exception {
    Map<String, EventCode> constants = new LinkedHashMap<>();
    for (Class<?> type : DECLARED.keySet()) {
      constants.putAll(constants(type));
    }
    TreeSet<String> unsaid = new TreeSet<>(constants.keySet());
    for (Map.Entry<Path, String> source : sources(MODULES, "src/main").entrySet()) {
      Matcher call = CALL.matcher(source.getValue());
      while (call.find()) {
        String name = call.group(1) + "." + call.group(2);
        EventCode code = constants.get(name);
        List<String> values = arguments(source.getValue(), call.end());
        if (!List.of("text", "words").contains(call.group(3))
            && List.of("e", "cause").contains(last(values))) {
          values = values.subList(0, values.size() - 1);
        }
        assertThat(values)
            .as(name + " in " + source.getKey())
            .hasSize((int) EventCode.VALUE.matcher(code.what() + code.remedy()).results().count());
        unsaid.remove(name);
      }
    }
    assertThat(unsaid).isEmpty();
  }

  /** In the situation that the code names; it does there what the remedy says. */
  @Test
  void everyRefusalHasATestThatIsTaggedWithIt() throws IOException {
    TreeSet<String> refusals = new TreeSet<>();
    all().stream()
        .filter(code -> code.severity() == EventCode.Severity.REFUSED)
        .forEach(code -> refusals.add(code.code()));
    for (String test : sources(TESTED, "src/test").values()) {
      TAG.matcher(test).results().forEach(tag -> refusals.remove(tag.group(1)));
    }
    assertThat(refusals).isEmpty();
  }

  private static String last(List<String> values) {
    return values.isEmpty() ? "" : values.get(values.size() - 1);
  }

  /** The arguments of a call whose opening parenthesis ends at {@code from}. */
  private static List<String> arguments(String source, int from) {
    List<String> arguments = new ArrayList<>();
    boolean quoted = false;
    int begin = from;
    int at = from;
    for (int depth = 1; depth > 0; at++) {
      char c = source.charAt(at);
      quoted ^= c == '"' && source.charAt(at - 1) != '\\';
      depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
      if (!quoted && (depth == 0 || depth == 1 && c == ',')) {
        arguments.add(source.substring(begin, at).strip());
        begin = at + 1;
      }
    }
    return arguments.equals(List.of("")) ? List.of() : arguments;
  }

  private static Map<Path, String> sources(List<String> modules, String folder) throws IOException {
    Map<Path, String> sources = new LinkedHashMap<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve(folder))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          sources.put(file, Files.readString(file));
        }
      }
    }
    assertThat(sources).hasSizeGreaterThan(50);
    return sources;
  }
}
