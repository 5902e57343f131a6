// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.ModelRun.Setup;
import java.util.List;

/** Plays one {@link ScheduleRun} after the other, each with a seed of its own. */
public final class ScheduleSearch {
  private static final List<Setup> SETUPS =
      List.of(
          Setup.of(false, "file"),
          Setup.of(false, "file", "file"),
          Setup.of(true, "file"),
          Setup.of(false, "dax", "file"),
          Setup.of(true, "dax", "growing"),
          Setup.of(true, "dax", "file").directories(2));

  /** Of the set-ups. */
  static final int FILE_TIER = 0;

  /** Of the set-ups. */
  static final int TWO_FILE_TIERS = 1;

  /** Of the set-ups: each append is promised. */
  static final int PROMISING_TIER = 2;

  private final ScheduleTally tally = new ScheduleTally();

  /** What was played. */
  ScheduleTally tally() {
    return tally;
  }

  /**
   * Plays the schedule of a seed.
   *
   * @throws AssertionError what it found
   */
  void play(final long seed) throws InterruptedException {
    ScheduleRun.play(setup(seed), seed, tally);
  }

  /** One of the set-ups. */
  static Setup setup(final long seed) {
    return SETUPS.get((int) Math.floorMod(seed, (long) SETUPS.size()));
  }

  void play(final int setup, final long seed) throws InterruptedException {
    ScheduleRun.play(SETUPS.get(setup), seed, tally);
  }

  /**
   * Plays schedules, in tiers that promise what was forced, until one fails with these words.
   * Called by name, in classes of which one has a defect.
   *
   * @return what it said, after what was tried; null if none did
   */
  public static String find(final int setup, final String words, final long stepsMax)
      throws InterruptedException {
    final ScheduleSearch search = new ScheduleSearch();
    for (long seed = 1; search.tally.steps() < stepsMax; seed++) {
      try {
        search.play(setup, seed);
      } catch (final AssertionError e) {
        final String said = e.getMessage().lines().findFirst().orElseThrow();
        if (said.contains(words)) {
          return search.tally + ": " + said;
        }
      }
    }
    return null;
  }
}
