// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.Path;

/** Does the same random operations through two providers and compares what comes of each. */
final class Differential {
  private final World expected;
  private final World actual;
  private final long seed;

  /** Both folders are made here, and are left to the caller. */
  Differential(final Path builtInFolder, final Path ourFolder, final long seed) throws IOException {
    expected = new World(builtInFolder);
    actual = new World(ourFolder);
    this.seed = seed;
  }

  /**
   * Runs until the first difference.
   *
   * @return null if there is none
   */
  String firstDifference(final int operations) throws IOException {
    final RandomOperations random = new RandomOperations(seed, RandomOperations.foreign());
    for (int i = 0; i < operations; i++) {
      final World.Operation operation = random.draw();
      final String there = expected.outcome(operation);
      final String here = actual.outcome(operation);
      if (!there.equals(here)) {
        return "seed "
            + seed
            + ", operation "
            + i
            + ", "
            + random.description()
            + ": built-in: "
            + there
            + ", ours: "
            + here;
      }
    }
    return expected.everything().equals(actual.everything())
        ? null
        : "seed "
            + seed
            + ": built-in: "
            + expected.everything()
            + ", ours: "
            + actual.everything();
  }
}
