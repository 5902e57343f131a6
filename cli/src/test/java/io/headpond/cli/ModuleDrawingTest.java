// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Drawing of the modules in ARCHITECTURE.md, compared with the poms. */
class ModuleDrawingTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int LINES_MAX = 200;
  private static final Pattern DRAWING = Pattern.compile("(?s)```mermaid\n(.*?)```");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
  private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>.*?</dependency>");

  private static String pom(Path folder) throws IOException {
    return Files.readString(folder.resolve("pom.xml")).replaceAll("(?s)<!--.*?-->", "");
  }

  private static List<String> modules(Path folder) throws IOException {
    return MODULE.matcher(pom(folder)).results().map(found -> found.group(1)).toList();
  }

  private static String artifact(Path folder) throws IOException {
    Matcher artifact = ARTIFACT.matcher(PARENT.matcher(pom(folder)).replaceAll(""));
    assertThat(artifact.find()).as(folder.toString()).isTrue();
    return artifact.group(1);
  }

  /** The module of each artifact, also of those that a module has below it. */
  private static Map<String, String> artifacts() throws IOException {
    Map<String, String> artifacts = new HashMap<>();
    for (String module : modules(ROOT)) {
      Path folder = ROOT.resolve(module);
      artifacts.put(artifact(folder), module);
      for (String part : modules(folder)) {
        artifacts.put(artifact(folder.resolve(part)), module);
      }
    }
    return artifacts;
  }

  /** The modules that each module's pom names, in any scope. */
  private static Map<String, Set<String>> declared() throws IOException {
    Map<String, String> artifacts = artifacts();
    Map<String, Set<String>> declared = new TreeMap<>();
    for (String module : modules(ROOT)) {
      Set<String> used = declared.computeIfAbsent(module, name -> new TreeSet<>());
      DEPENDENCY
          .matcher(pom(ROOT.resolve(module)))
          .results()
          .map(MatchResult::group)
          .flatMap(text -> ARTIFACT.matcher(text).results().map(found -> found.group(1)))
          .filter(artifacts::containsKey)
          .map(artifacts::get)
          .filter(other -> !other.equals(module))
          .forEach(used::add);
    }
    return declared;
  }

  /** The arrows of the drawing; a line may be a chain of them. */
  private static Map<String, Set<String>> drawn() throws IOException {
    Matcher drawing = DRAWING.matcher(Files.readString(ROOT.resolve("ARCHITECTURE.md")));
    assertThat(drawing.find()).isTrue();
    Map<String, Set<String>> drawn = new TreeMap<>();
    for (String line : drawing.group(1).lines().skip(1).toList()) {
      String[] names = line.strip().split(" --> ");
      for (int i = 0; i < names.length; i++) {
        Set<String> used = drawn.computeIfAbsent(names[i], name -> new TreeSet<>());
        if (i + 1 < names.length) {
          used.add(names[i + 1]);
        }
      }
    }
    return drawn;
  }

  private static Set<String> reached(Map<String, Set<String>> arrows, String from) {
    Set<String> reached = new TreeSet<>();
    for (String next : arrows.getOrDefault(from, Set.of())) {
      reached.add(next);
      reached.addAll(reached(arrows, next));
    }
    return reached;
  }

  @Test
  void theDrawingShowsExactlyTheModules() throws IOException {
    assertThat(drawn().keySet()).containsExactlyInAnyOrderElementsOf(modules(ROOT));
  }

  @Test
  void everyArrowIsADependencyOfAPom() throws IOException {
    Map<String, Set<String>> declared = declared();
    drawn()
        .forEach((module, used) -> assertThat(declared.get(module)).as(module).containsAll(used));
  }

  @Test
  void everyDependencyIsReachedByArrows() throws IOException {
    Map<String, Set<String>> drawn = drawn();
    declared()
        .forEach((module, used) -> assertThat(reached(drawn, module)).as(module).containsAll(used));
  }

  @Test
  void thePageHasAtMostTwoHundredLines() throws IOException {
    try (Stream<String> lines = Files.lines(ROOT.resolve("ARCHITECTURE.md"))) {
      assertThat(lines.count()).isLessThanOrEqualTo(LINES_MAX);
    }
  }
}
