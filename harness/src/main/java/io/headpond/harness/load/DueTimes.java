// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The times at which the messages of one sender are due, one after the other, by a {@link Pace}.
 * One thread.
 */
public final class DueTimes {

  /** Parks end so often, to see whether it is to go on. */
  private static final long PARK_NANOS_MAX = 20_000_000;

  private final Pace pace;
  private final int senders;
  private long number;
  private int step;
  private double messagesBefore;
  private double secondsBefore;

  DueTimes(Pace pace, int sender, int senders) {
    this.pace = pace;
    this.senders = senders;
    this.number = sender - (long) senders;
  }

  /** Nanoseconds from the beginning to when the sender's next message is due; 0 at full speed. */
  public long nextNanos() {
    if (pace.fullSpeed()) {
      return 0;
    }
    number += senders;
    Pace.Step current = pace.steps().get(step);
    while (number >= messagesBefore + current.messages()) {
      messagesBefore += current.messages();
      secondsBefore += current.seconds();
      step = (step + 1) % pace.steps().size();
      current = pace.steps().get(step);
    }
    return (long) (1e9 * (secondsBefore + (number - messagesBefore) / current.perSecond()));
  }

  /**
   * Waits until something is due. Sleeps rather than spins: the processors are the engine's too.
   *
   * @param due by {@link System#nanoTime}
   * @param going asked often; false ends it
   * @return whether it is still to go on
   */
  public static boolean await(long due, BooleanSupplier going) {
    while (going.getAsBoolean()) {
      long left = due - System.nanoTime();
      if (left <= 0) {
        return true;
      }
      LockSupport.parkNanos(Math.min(left, PARK_NANOS_MAX));
    }
    return false;
  }
}
