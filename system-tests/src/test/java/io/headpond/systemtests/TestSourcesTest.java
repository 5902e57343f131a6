// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of CONTRIBUTING.md about tests that their sources show, in every module. */
class TestSourcesTest {
  private static final int LONGEST_NAME = 60;

  /** A test's annotation, others that follow it, and the method's name. */
  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest|FuzzTest)\\b.*?\\bvoid\\s+(\\w+)\\(",
          Pattern.DOTALL);

  /** A wait for a fixed time: a test awaits a condition instead. */
  private static final Pattern SLEEP = Pattern.compile("\\bThread\\s*\\.\\s*sleep\\(");

  @Test
  void aTestsNameHasSixtyCharactersAtMost() {
    final List<String> names = sources().flatMap(TestSourcesTest::names).toList();
    assertThat(names).hasSizeGreaterThan(1000);
    assertThat(names).allMatch(name -> name.length() <= LONGEST_NAME);
  }

  @Test
  void noTestSleepsForAFixedTime() {
    assertThat(sources().filter(source -> SLEEP.matcher(text(source)).find())).isEmpty();
  }

  private static Stream<String> names(final Path source) {
    return TEST.matcher(text(source)).results().map((MatchResult found) -> found.group(1));
  }

  /** Every Java file below a src/test of a module beside this one. */
  private static Stream<Path> sources() {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      final List<Path> folders =
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .toList();
      return folders.stream().flatMap(TestSourcesTest::below).toList().stream();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> below(final Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(final Path source) {
    try {
      return Files.readString(source);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
