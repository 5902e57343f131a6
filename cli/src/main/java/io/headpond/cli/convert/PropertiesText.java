// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.convert;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A file of properties as text: its lines in their order, with comments and continued lines.
 * Unchanged lines stay as their author wrote them.
 */
final class PropertiesText {
  /**
   * One line, or several that a backslash joins.
   *
   * @param text as it stands in the file, without the last line end
   * @param key null if it is a comment or blank
   * @param value null as well
   */
  record Line(String text, String key, String value) {}

  private final Charset charset;
  private final List<Line> lines;

  private PropertiesText(Charset charset, List<Line> lines) {
    this.charset = charset;
    this.lines = List.copyOf(lines);
  }

  /** Reads a file: UTF-8, or if it isn't that, ISO 8859-1, which Kafka takes it for. */
  static PropertiesText read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new PropertiesText(StandardCharsets.UTF_8, lines(text));
    } catch (CharacterCodingException e) {
      Charset latin = StandardCharsets.ISO_8859_1;
      return new PropertiesText(latin, lines(new String(bytes, latin)));
    }
  }

  static List<Line> lines(String text) throws IOException {
    List<Line> found = new ArrayList<>();
    StringBuilder joined = new StringBuilder();
    for (String natural : text.lines().toList()) {
      joined.append(joined.isEmpty() ? "" : "\n").append(natural);
      boolean comment = joined.toString().stripLeading().matches("(?s)[#!].*");
      if (comment || !isContinued(natural)) {
        found.add(line(joined.toString()));
        joined.setLength(0);
      }
    }
    if (!joined.isEmpty()) {
      found.add(line(joined.toString()));
    }
    return found;
  }

  private static boolean isContinued(String natural) {
    int backslashes = 0;
    while (backslashes < natural.length()
        && natural.charAt(natural.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }

  private static Line line(String text) throws IOException {
    Properties one = new Properties();
    try {
      one.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + text + "' is not a line of properties: " + e.getMessage(), e);
    }
    if (one.isEmpty()) {
      return new Line(text, null, null);
    }
    String key = one.stringPropertyNames().iterator().next();
    return new Line(text, key, one.getProperty(key).strip());
  }

  List<Line> lines() {
    return lines;
  }

  /** The file's encoding, which is kept for whatever is made from it. */
  Charset charset() {
    return charset;
  }

  /** A key's value; of several, the last, as the engine takes it. */
  Optional<String> value(String key) {
    return lines.stream()
        .filter(line -> key.equals(line.key()))
        .reduce((first, second) -> second)
        .map(Line::value);
  }
}
