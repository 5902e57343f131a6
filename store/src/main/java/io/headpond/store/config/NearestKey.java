// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.util.Collection;
import java.util.Optional;

/**
 * The known key, or other name, that a mistyped one was probably meant to be: the one that the
 * fewest characters inserted, left out or replaced make of it (Levenshtein's distance), if they are
 * few, and fewer than it has.
 */
public final class NearestKey {
  private static final int CHANGES_MAX = 3;

  private NearestKey() {}

  /** Finds it; the first of several that are as near. */
  public static Optional<String> of(final String typed, final Collection<String> known) {
    String nearest = null;
    int fewest = Math.min(CHANGES_MAX + 1, typed.length());
    for (final String key : known) {
      if (Math.abs(key.length() - typed.length()) < fewest) {
        final int changes = changes(typed, key);
        if (changes < fewest) {
          fewest = changes;
          nearest = key;
        }
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Row by row of the table of all beginnings of both. */
  private static int changes(final String from, final String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      final int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        final int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[to.length()];
  }
}
