// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.load;

/** When the messages of one sender are due, one after the other, by a {@link Pace}. One thread. */
public final class DueTimes {

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
}
