// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.harness.load.Pace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The highest rate at which an engine keeps a limit: rates are doubled or quartered until one kept
 * it and one didn't, then the span between the two is halved (by ratio) until it is small.
 *
 * @param steps in the order tried
 * @param perSecond messages a second that the best step which kept the limit achieved; 0: none kept
 *     it
 * @param bytesPerSecond of it
 */
public record RateSearch(List<Step> steps, double perSecond, double bytesPerSecond) {

  /** Slowest rate that is tried. */
  static final double PER_SECOND_MIN = 20;

  private static final double PER_SECOND_MAX = 2e6;

  /** The two ends of the span in the end. */
  private static final double PRECISION = 1.08;

  private static final int STEPS_MAX = 16;

  /** A device that forces each message may keep a limit at a hundredth of full speed only. */
  private static final double DOWN = 4;

  public RateSearch {
    steps = List.copyOf(steps);
  }

  /**
   * One rate.
   *
   * @param perSecond messages due in a second
   * @param achievedPerSecond acknowledged
   * @param latencyUs the limit's percentile
   * @param kept whether it kept the limit
   */
  public record Step(double perSecond, double achievedPerSecond, double latencyUs, boolean kept) {}

  /** Measures one rate. */
  public interface Probe {
    PointFigures measure(Point point, int step) throws IOException, InterruptedException;
  }

  /**
   * Searches.
   *
   * @param point is measured at several paces
   * @param first rate to try, messages a second
   */
  public static RateSearch run(Point point, double first, LatencyLimit limit, Probe probe)
      throws IOException, InterruptedException {
    List<Step> steps = new ArrayList<>();
    double kept = 0;
    double missed = Double.POSITIVE_INFINITY;
    double best = 0;
    double bestBytes = 0;
    double rate = Math.max(PER_SECOND_MIN, Math.min(PER_SECOND_MAX, first));
    while (steps.size() < STEPS_MAX && missed / kept > PRECISION) {
      Point due = point.at(Pace.constant(rate));
      PointFigures figures = probe.measure(due, steps.size() + 1);
      boolean good = limit.kept(due, figures);
      steps.add(new Step(rate, figures.perSecond(), figures.publishUs(limit.percentile()), good));
      if (good) {
        kept = rate;
        best = Math.max(best, figures.perSecond());
        bestBytes = Math.max(bestBytes, figures.bytesPerSecond());
      } else {
        missed = rate;
      }
      if (good && rate >= PER_SECOND_MAX || !good && rate <= PER_SECOND_MIN) {
        break;
      }
      rate = next(kept, missed);
    }
    return new RateSearch(steps, best, bestBytes);
  }

  private static double next(double kept, double missed) {
    if (Double.isInfinite(missed)) {
      return Math.min(PER_SECOND_MAX, kept * 2);
    }
    return kept == 0 ? Math.max(PER_SECOND_MIN, missed / DOWN) : Math.sqrt(kept * missed);
  }
}
