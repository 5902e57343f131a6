// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Text in columns: each is as wide as its widest cell, two spaces lie between them, and no line
 * ends in spaces. A row of one cell is a line of its own, and makes no column wider.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private record Column(String heading, boolean right) {}

  private final String indent;
  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** A table without columns yet. */
  public TextTable() {
    this("");
  }

  private TextTable(String indent) {
    this.indent = indent;
  }

  /** Names and what they stand for, below a line that the names are indented to. */
  public static TextTable pairs(Map<String, String> values) {
    TextTable table = new TextTable(GAP).left("").left("");
    values.forEach(table::row);
    return table;
  }

  /** The places that variants write to, and that the fast device is volatile if it is. */
  public static TextTable places(Map<String, String> places, boolean fastIsVolatile) {
    TextTable table = pairs(places);
    return fastIsVolatile
        ? table.row(
            "VOLATILE: a power cut would lose it; memory stands in for persistent memory here")
        : table;
  }

  /** Adds a column whose cells begin alike; an empty heading: it has none. */
  public TextTable left(String heading) {
    columns.add(new Column(heading, false));
    return this;
  }

  /** Adds a column whose cells end alike, as numbers do. */
  public TextTable right(String heading) {
    columns.add(new Column(heading, true));
    return this;
  }

  /** Adds a row; what is missing at its end is empty. */
  public TextTable row(Object... cells) {
    return row(List.of(cells));
  }

  /** The same of a list. */
  public TextTable row(List<?> cells) {
    if (cells.size() > columns.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells for " + columns.size() + " columns: " + cells);
    }
    rows.add(cells.stream().map(String::valueOf).toList());
    return this;
  }

  /** All lines; the first has the headings, if there are any. */
  public String text() {
    List<List<String>> lines = new ArrayList<>(rows);
    List<String> headings = columns.stream().map(Column::heading).toList();
    if (headings.stream().anyMatch(heading -> !heading.isEmpty())) {
      lines.add(0, headings);
    }
    int[] widths = widths(lines);
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      text.append(line(line, widths).stripTrailing()).append('\n');
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return text();
  }

  private int[] widths(List<List<String>> lines) {
    int[] widths = new int[columns.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < line.size() && line.size() > 1; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    return widths;
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder(indent);
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String space = " ".repeat(Math.max(0, widths[i] - cell.length()));
      line.append(columns.get(i).right ? space + cell : cell + space).append(GAP);
    }
    return line.toString();
  }
}
