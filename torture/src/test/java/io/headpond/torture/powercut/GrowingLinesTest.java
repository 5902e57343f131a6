// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingLinesTest {
  @TempDir Path folder;
  private Path file;
  private GrowingLines lines;

  @BeforeEach
  void create() {
    file = folder.resolve("report");
    lines = new GrowingLines(file, StandardCharsets.UTF_8);
  }

  private void write(String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void aMissingFileHasNoLines() throws Exception {
    assertThat(lines.now()).isEmpty();
  }

  @Test
  void aLineThatIsBeingWrittenIsNotThereYet() throws Exception {
    write("a\nb");
    assertThat(lines.now()).containsExactly("a");
    write("");
    assertThat(lines.now()).containsExactly("a");
    write("\u00e9\nc\n");
    assertThat(lines.now()).containsExactly("a", "b\u00e9", "c");
  }

  @Test
  void whatWasReadBeforeDoesNotChange() throws Exception {
    write("0\n");
    List<String> before = lines.now();
    for (int i = 1; i < 1000; i++) {
      write(i + "\n");
      lines.now();
    }
    assertThat(before).containsExactly("0");
    assertThat(lines.now()).hasSize(1000).endsWith("998", "999");
  }
}
