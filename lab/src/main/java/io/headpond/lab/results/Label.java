// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * Something that must be said wherever a figure is shown.
 *
 * @param name VOLATILE, EMULATED, EPHEMERAL, UNKNOWN, NO JOURNAL, LIMITED, NOISY, THROTTLED, NOT
 *     COMPARABLE, NOT VALID or INCOMPLETE
 * @param reason in words
 */
public record Label(String name, String reason) {
  /** Names of labels whose figures say nothing of a goal. */
  private static final Set<String> UNJUDGED =
      Set.of("NOISY", "NOT COMPARABLE", "NOT VALID", "INCOMPLETE");

  static Label noisy(double share) {
    return new Label(
        "NOISY",
        String.format(
            Locale.ROOT, "something else used %.0f %% of the processors meanwhile", 100 * share));
  }

  /** Of a directory on an ext4 that few users have. */
  static Label noJournal(Path directory) {
    return new Label(
        "NO JOURNAL",
        directory
            + ": its ext4 has no journal, so a force commits none, and new files take longer while"
            + " others are deleted");
  }

  static Label throttled(String reason) {
    return new Label("THROTTLED", reason);
  }

  /** True if figures with this label are no proof that a goal was met or missed. */
  boolean forbidsJudgement() {
    return UNJUDGED.contains(name);
  }

  @Override
  public String toString() {
    return name + ": " + reason;
  }
}
