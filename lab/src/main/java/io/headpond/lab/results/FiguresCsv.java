// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figures as RFC 4180 has it, a line for each value of a round. */
public final class FiguresCsv {

  private FiguresCsv() {}

  /** Writes {@code file}, replacing it. */
  public static void write(Path file, List<Figure> figures) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("load,metric,unit,more_is_better,variant,round,value");
    for (Figure figure : figures) {
      for (int round = 0; round < figure.values().size(); round++) {
        lines.add(
            line(
                figure.load(),
                figure.metric(),
                figure.unit(),
                figure.moreIsBetter(),
                figure.variant(),
                round + 1,
                figure.values().get(round)));
      }
    }
    Files.writeString(file, String.join("\r\n", lines) + "\r\n");
  }

  private static String line(Object... cells) {
    return Stream.of(cells).map(FiguresCsv::cell).collect(Collectors.joining(","));
  }

  private static String cell(Object value) {
    return value instanceof String text ? '"' + text.replace("\"", "\"\"") + '"' : "" + value;
  }
}
