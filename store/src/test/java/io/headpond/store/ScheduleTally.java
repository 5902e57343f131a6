// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/** What a number of {@link ScheduleRun}s came to. One thread at a time. */
final class ScheduleTally {
  private long schedules;
  private long steps;
  private long cuts;
  private long moves;

  synchronized void add(final int stepsTaken, final long cutsLookedAt, final long moved) {
    schedules++;
    steps += stepsTaken;
    cuts += cutsLookedAt;
    moves += moved;
  }

  synchronized long schedules() {
    return schedules;
  }

  synchronized long steps() {
    return steps;
  }

  synchronized long moves() {
    return moves;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "%d schedules of %d steps, %d power cuts looked at, %d segments migrated",
        schedules, steps, cuts, moves);
  }
}
