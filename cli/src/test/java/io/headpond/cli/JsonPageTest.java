// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The keys of docs/json.md are those that the commands print. */
class JsonPageTest {
  private static final Path PAGE = Path.of("..", "docs", "json.md");
  private static final String LOGDIR = "io.headpond.cli.logdir.";

  /** The record that a section of the page describes. */
  private static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("verify", LOGDIR + "VerifyCommand$ResultJson"),
          Map.entry("verify --bookkeeper", LOGDIR + "BookieCheck$ResultJson"),
          Map.entry("status", LOGDIR + "StatusReport$ResultJson"),
          Map.entry("status --bookkeeper", LOGDIR + "BookieStatus$ResultJson"),
          Map.entry("migrate", LOGDIR + "MigrateCommand$ResultJson"),
          Map.entry("drain", LOGDIR + "DrainCommand$ResultJson"),
          Map.entry("drain --bookkeeper", LOGDIR + "DrainCommand$LedgersJson"),
          Map.entry("recover", LOGDIR + "Recovery$LogDirJson"),
          Map.entry("recover of a bookie", LOGDIR + "LedgerRecovery$ResultJson"),
          Map.entry("doctor", "io.headpond.cli.doctor.DoctorCommand$ResultJson"),
          Map.entry("plan", "io.headpond.cli.plan.PlanCommand$ResultJson"));

  /** A key of no record: the counts, each by its own. */
  private static final String COUNTS = "owner.COUNT";

  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  static Stream<String> sections() throws IOException {
    return Pattern.compile("(?m)^## headpond (.+)$")
        .matcher(Files.readString(PAGE))
        .results()
        .map(title -> title.group(1));
  }

  @ParameterizedTest
  @MethodSource("sections")
  void aSectionHasTheKeysThatItsCommandPrints(String section) throws Exception {
    assertThat(SECTIONS).containsKey(section);
    Set<String> printed = new TreeSet<>();
    collect(Class.forName(SECTIONS.get(section)), "", printed);
    if (section.equals("status")) {
      printed.add(COUNTS);
    }
    assertThat(onThePage(section)).containsExactlyElementsOf(printed);
    assertThat(sections()).containsAll(SECTIONS.keySet());
  }

  private static void collect(Type type, String before, Set<String> keys) {
    for (RecordComponent component : ((Class<?>) type).getRecordComponents()) {
      if (component.getAccessor().isAnnotationPresent(JsonIgnore.class)) {
        continue;
      }
      String key =
          before
              + PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName());
      Type of = component.getGenericType();
      if (of instanceof ParameterizedType many) {
        Type[] arguments = many.getActualTypeArguments();
        of = arguments[arguments.length - 1];
        key += !isRecord(of) ? "" : arguments.length == 1 ? "[]" : ".NAME";
      }
      if (isRecord(of)) {
        collect(of, key + ".", keys);
      } else {
        keys.add(key);
      }
    }
  }

  private static boolean isRecord(Type type) {
    return type instanceof Class<?> known && known.isRecord();
  }

  /**
   * The keys in the first cells of a section's table; one that begins with a dot is of the same
   * object.
   */
  private static Set<String> onThePage(String section) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("\n## headpond " + section + "\n") + 1;
    int end = page.indexOf("\n## ", start);
    Set<String> keys = new TreeSet<>();
    Matcher row = FIRST_CELL.matcher(page.substring(start, end < 0 ? page.length() : end));
    while (row.find()) {
      String object = "";
      Matcher quoted = QUOTED.matcher(row.group(1));
      while (quoted.find()) {
        String key = quoted.group(1);
        key = key.startsWith(".") ? object + key : key;
        object = key.contains(".") ? key.substring(0, key.lastIndexOf('.')) : "";
        assertThat(keys.add(key)).as(key + " stands there once").isTrue();
      }
    }
    return keys;
  }
}
