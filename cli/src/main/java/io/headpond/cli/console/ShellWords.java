// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.util.Collection;
import java.util.stream.Collectors;

/** Arguments as a person types them into a shell. */
public final class ShellWords {
  private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

  private ShellWords() {}

  /** One word; quoted unless it has no character that is special to a shell. */
  public static String of(String word) {
    return word.matches(PLAIN) ? word : quoted(word);
  }

  /** One word in quotes. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Several words with a space between each two. */
  public static String of(Collection<String> words) {
    return words.stream().map(ShellWords::of).collect(Collectors.joining(" "));
  }
}
