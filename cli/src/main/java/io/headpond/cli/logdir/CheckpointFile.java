// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One of Kafka's checkpoint files: a line with the version 0, one with the number of entries, and a
 * line of words for each entry (Kafka's {@code CheckpointFile}). An empty file has no entries.
 *
 * @param path the file, which needn't be there
 * @param entries the words of each entry; the last one is an offset
 */
record CheckpointFile(Path path, List<List<String>> entries) {
  private static final String VERSION = "0";
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int HEADER_LINES = 2;

  /**
   * Reads it.
   *
   * @param words of each entry
   */
  static CheckpointFile read(Path path, int words) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(path, StandardCharsets.UTF_8);
    } catch (NoSuchFileException none) {
      return new CheckpointFile(path, List.of());
    } catch (CharacterCodingException e) {
      throw damaged(path, "it is no text", e);
    }
    if (lines.isEmpty()) {
      return new CheckpointFile(path, List.of());
    }
    List<List<String>> entries = new ArrayList<>();
    try {
      if (!lines.get(0).equals(VERSION)
          || Integer.parseInt(lines.get(1)) != lines.size() - HEADER_LINES) {
        throw damaged(path, "its version isn't 0, or its number of entries is wrong", null);
      }
      for (String line : lines.subList(HEADER_LINES, lines.size())) {
        List<String> entry = List.of(BLANKS.split(line));
        if (entry.size() != words) {
          throw damaged(path, "'" + line + "' is no entry", null);
        }
        Long.parseLong(entry.get(words - 1));
        entries.add(entry);
      }
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw damaged(path, "a number is missing in it", e);
    }
    return new CheckpointFile(path, entries);
  }

  /** The same; a damaged one counts as empty, and is left as it is. */
  static CheckpointFile readable(Path path, int words) throws IOException {
    try {
      return read(path, words);
    } catch (CommandFailure damaged) {
      return new CheckpointFile(path, List.of());
    }
  }

  private static CommandFailure damaged(Path path, String reason, Exception cause) {
    return new CommandFailure(
        path + " is damaged: " + reason,
        "without --keep-prefix it isn't needed; nothing was changed",
        cause);
  }

  static long offset(List<String> entry) {
    return Long.parseLong(entry.get(entry.size() - 1));
  }

  /** Replaces it by one with other entries, unless they are the same. */
  void replace(List<List<String>> now, LogDirChanges changes) throws IOException {
    if (now.equals(entries)) {
      return;
    }
    StringBuilder text = new StringBuilder(VERSION + "\n" + now.size() + "\n");
    now.forEach(entry -> text.append(String.join(" ", entry)).append('\n'));
    changes.replace(path, text.toString());
  }
}
