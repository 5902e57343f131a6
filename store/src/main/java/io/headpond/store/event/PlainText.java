// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;

/**
 * A text that stays in its line, whatever it is made of. Names in a file system may hold line
 * breaks and what steers a terminal; written to a log or a screen as they are, they could look like
 * something that Headpond said. Any thread.
 */
public final class PlainText {
  private PlainText() {}

  /** The text, with all that is neither visible nor a space written as an escape of Java's. */
  public static String of(final Object value) {
    final String text = String.valueOf(value);
    int plain = 0;
    while (plain < text.length() && isPlain(text.charAt(plain))) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    final StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      final char c = text.charAt(i);
      if (isPlain(c)) {
        escaped.append(c);
      } else if (c == '\n') {
        escaped.append("\\n");
      } else {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return escaped.toString();
  }

  /** The reason that a failure gives; where it gives none, its kind. */
  public static String reason(final Throwable failure) {
    if (failure instanceof ClosedByInterruptException) {
      return "the thread was interrupted";
    }
    final String message = failure.getMessage();
    return message == null ? failure.getClass().getName() : message;
  }

  private static boolean isPlain(final char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
