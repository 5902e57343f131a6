// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A rate of messages that are due, whatever the engine does: steps, which begin anew after the last
 * one; no step at all is full speed.
 */
public record Pace(List<Step> steps) {

  /** As fast as the engine answers; nothing is ever due. */
  public static final Pace FULL_SPEED = new Pace(List.of());

  /** More would be no load that a single process can send. */
  private static final double PER_SECOND_MAX = 1e7;

  /**
   * One rate for some time.
   *
   * @param perSecond messages due in a second, of all senders together; 0: a pause
   * @param seconds how long
   */
  public record Step(double perSecond, double seconds) {
    public Step {
      if (!(perSecond >= 0 && perSecond <= PER_SECOND_MAX && seconds > 0)) {
        throw new IllegalArgumentException(
            "a pace has 0 to 10,000,000 messages/s for some time, not "
                + perSecond
                + "/s for "
                + seconds
                + " s");
      }
    }

    double messages() {
      return perSecond * seconds;
    }
  }

  /** Copies the steps; with steps something must be due at some time. */
  public Pace {
    steps = List.copyOf(steps);
    if (!steps.isEmpty() && steps.stream().allMatch(step -> step.messages() == 0)) {
      throw new IllegalArgumentException("a pace at which nothing is ever due");
    }
  }

  /** Always the same rate, messages a second. */
  public static Pace constant(double perSecond) {
    return new Pace(List.of(new Step(perSecond, 1)));
  }

  /** True if there is no rate. */
  public boolean fullSpeed() {
    return steps.isEmpty();
  }

  /** Messages a second over all steps; infinite at full speed. */
  public double meanPerSecond() {
    return fullSpeed()
        ? Double.POSITIVE_INFINITY
        : steps.stream().mapToDouble(Step::messages).sum()
            / steps.stream().mapToDouble(Step::seconds).sum();
  }

  /** The times at which the messages of one of {@code senders} are due; they take turns. */
  public DueTimes dueTimes(int sender, int senders) {
    return new DueTimes(this, sender, senders);
  }

  /** For {@link #decode}: without spaces. */
  public String encode() {
    return steps.stream()
        .map(step -> step.perSecond() + "x" + step.seconds())
        .collect(Collectors.joining(",", "@", ""));
  }

  /** Reads what {@link #encode} gave. */
  public static Pace decode(String text) {
    return new Pace(
        Arrays.stream(text.substring(1).split(","))
            .filter(step -> !step.isEmpty())
            .map(step -> step.split("x"))
            .map(step -> new Step(Double.parseDouble(step[0]), Double.parseDouble(step[1])))
            .toList());
  }
}
