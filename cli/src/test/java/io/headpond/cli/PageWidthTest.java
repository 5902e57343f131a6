// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Width of the documentation's lines; blocks of code, tables and targets of links are exempt. */
class PageWidthTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int WIDTH = 100;
  private static final Pattern TARGET = Pattern.compile("]\\([^)]*\\)");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : List.of("", "docs", "results")) {
      Path root = ROOT.resolve(folder);
      if (Files.isDirectory(root)) {
        try (Stream<Path> files = Files.list(root)) {
          files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
      }
    }
    return pages;
  }

  /** The lines of {@code text} that are too wide, each with its number. */
  private static List<String> tooWide(String text) {
    List<String> wide = new ArrayList<>();
    boolean fenced = false;
    boolean code = false;
    boolean afterBlank = true;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      boolean fence = line.strip().startsWith("```");
      fenced ^= fence;
      if (!line.isBlank()) {
        code = line.startsWith("    ") && (afterBlank || code);
      }
      afterBlank = line.isBlank();
      boolean exempt = fenced || fence || code || line.startsWith("|");
      String shown = TARGET.matcher(line).replaceAll("]");
      if (!exempt && shown.codePointCount(0, shown.length()) > WIDTH) {
        wide.add(number + ": " + line);
      }
    }
    return wide;
  }

  @Test
  void linesOfTextAreAtMostAHundredCharactersWide() throws IOException {
    List<Path> pages = pages();
    assertThat(pages).hasSizeGreaterThan(15);
    for (Path page : pages) {
      assertThat(tooWide(Files.readString(page))).as(page.toString()).isEmpty();
    }
  }

  @Test
  void codeTablesAndTargetsOfLinksAreExempt() {
    String wide = "x ".repeat(WIDTH);
    assertThat(tooWide("text\n" + wide)).hasSize(1);
    assertThat(tooWide("text\n    " + wide)).hasSize(1);
    assertThat(tooWide("text\n\n    " + wide + "\n\n    " + wide)).isEmpty();
    assertThat(tooWide("```\n" + wide + "\n```\n" + wide)).hasSize(1);
    assertThat(tooWide("| " + wide)).isEmpty();
    assertThat(tooWide("[page](" + "x".repeat(WIDTH) + ")")).isEmpty();
  }
}
