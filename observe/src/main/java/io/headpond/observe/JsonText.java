// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Maps, lists, texts, numbers and flags as JSON (RFC 8259); a number that is none becomes null. The
 * engine's JSON library, if it has one, is not ours to use.
 */
public final class JsonText {
  private final StringBuilder text = new StringBuilder(4 << 10);

  private JsonText() {}

  /** A value as JSON. */
  public static String of(final Object value) {
    final JsonText json = new JsonText();
    json.value(value);
    return json.text.toString();
  }

  private void value(final Object value) {
    if (value instanceof Map<?, ?> map) {
      object(map);
    } else if (value instanceof List<?> list) {
      array(list);
    } else if (value instanceof Double number) {
      text.append(Double.isFinite(number) ? Scrape.number(number) : "null");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      string(value.toString());
    }
  }

  private void object(final Map<?, ?> map) {
    char before = '{';
    for (final Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(before);
      string(entry.getKey().toString());
      text.append(':');
      value(entry.getValue());
      before = ',';
    }
    text.append(map.isEmpty() ? "{}" : "}");
  }

  private void array(final List<?> list) {
    char before = '[';
    for (final Object item : list) {
      text.append(before);
      value(item);
      before = ',';
    }
    text.append(list.isEmpty() ? "[]" : "]");
  }

  private void string(final String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      final char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
