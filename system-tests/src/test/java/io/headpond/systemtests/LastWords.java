// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.event.RefusedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What an engine whose start was refused has said last. */
public final class LastWords {

  private LastWords() {}

  /**
   * Checks that it was said once, in one line, which is the last of the log and of the output, and
   * without a stack trace.
   *
   * @param log isn't there if the engine's logging hadn't begun
   */
  public static void assertRefused(
      int exitCode, Path log, Path output, String code, String... names) throws IOException {
    assertThat(exitCode).as(Files.readString(output)).isEqualTo(RefusedStart.EXIT_CODE);
    for (Path file : List.of(log, output)) {
      if (file.equals(output) || Files.exists(file)) {
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
        assertThat(lines.stream().filter(line -> line.contains(code + " "))).hasSize(1);
        assertThat(lines.get(lines.size() - 1)).contains(code + " ").contains(names);
      }
    }
  }
}
