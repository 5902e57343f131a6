// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
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

  /** The first ones of some names, and how many more there are. */
  public static String first(final int max, final List<String> names) {
    final int more = names.size() - max;
    return String.join(", ", names.subList(0, Math.min(names.size(), max)))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** The reason that a failure gives; where it gives none, its kind. */
  public static String reason(final Throwable failure) {
    if (failure instanceof ClosedByInterruptException) {
      return "the thread was interrupted";
    }
    final String message = failure.getMessage();
    if (message == null) {
      return failure.getClass().getName();
    }
    return failure instanceof FileSystemException named && named.getReason() == null
        ? message + ": " + kind(named)
        : message;
  }

  /** The JDK has these kinds say no more than the file's name. */
  private static String kind(final FileSystemException failure) {
    if (failure instanceof AccessDeniedException) {
      return "the process's user, " + ProcessUser.name() + ", has no right to it";
    }
    if (failure instanceof NoSuchFileException) {
      return "it is not there";
    }
    if (failure instanceof NotDirectoryException) {
      return "it is no directory";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "it is there already";
    }
    return failure.getClass().getSimpleName();
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
