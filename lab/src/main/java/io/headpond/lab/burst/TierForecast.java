// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import java.util.ArrayList;
import java.util.List;

/**
 * The forecast of a tier's fill while rates follow one another: the arithmetic of {@code headpond
 * plan} for more than one burst. All that is written goes to the tier while there is room; what
 * lies above the threshold goes home at home's rate. Bytes, bytes a second, seconds.
 *
 * @param points where the fill's slope changes, in the order of time
 */
public record TierForecast(double capacity, double threshold, List<Point> points) {

  /** A fill at a time. */
  public record Point(double at, double bytes) {}

  /** A rate for some time. */
  public record Step(double seconds, double bytesPerSecond) {}

  /** Rounding; a byte is nothing here. */
  private static final double EPSILON = 1;

  public TierForecast {
    points = List.copyOf(points);
  }

  /**
   * From a tier that is filled to its threshold on.
   *
   * @param threshold share of the capacity that migration steers to, 0 to 1
   * @param home what migration takes away, bytes a second
   */
  public static TierForecast of(double capacity, double threshold, double home, List<Step> steps) {
    double steered = capacity * threshold;
    List<Point> points = new ArrayList<>();
    double at = 0;
    double fill = steered;
    points.add(new Point(at, fill));
    for (Step step : steps) {
      double slope = step.bytesPerSecond() - home;
      double target = slope > 0 ? capacity : steered;
      double reached = slope == 0 ? Double.POSITIVE_INFINITY : (target - fill) / slope;
      if (reached > 0 && reached < step.seconds()) {
        points.add(new Point(at + reached, target));
      }
      at += step.seconds();
      fill = reached < step.seconds() ? target : fill + slope * step.seconds();
      points.add(new Point(at, fill));
    }
    return new TierForecast(capacity, threshold, points);
  }

  /**
   * The time when the tier is full for the first time from {@code from} to {@code to}; infinite:
   * never.
   */
  public double fullAt(double from, double to) {
    return points.stream()
        .filter(p -> p.at() >= from && p.at() <= to && p.bytes() >= capacity - EPSILON)
        .mapToDouble(Point::at)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** The time when nothing lies above the threshold any more, from {@code from} to {@code to}. */
  public double settledAt(double from, double to) {
    return points.stream()
        .filter(p -> p.at() >= from && p.at() <= to)
        .filter(p -> p.bytes() <= capacity * threshold + EPSILON)
        .mapToDouble(Point::at)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
