// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * One thing over another, for a chart; all its values are in figures too, or in the benchmark's own
 * part of the result.
 *
 * @param title what it shows, and of which load
 * @param xTitle with its unit
 * @param yTitle with its unit
 * @param logarithmic whether both axes are
 */
public record Curve(
    String title, String xTitle, String yTitle, boolean logarithmic, List<Line> lines) {

  /** Points of a line; more can't be told apart in a chart. */
  public static final int POINTS_MAX = 2_000;

  public Curve {
    lines = List.copyOf(lines);
  }

  /**
   * A line through points, as many of {@code x} as of {@code y}.
   *
   * @param name of a variant
   */
  public record Line(String name, List<Double> x, List<Double> y) {

    /** Through samples; evenly chosen ones, if they are more than a chart takes. */
    public static <S> Line of(
        String name, List<S> samples, ToDoubleFunction<S> x, ToDoubleFunction<S> y) {
      int every = Math.max(1, (samples.size() + POINTS_MAX - 1) / POINTS_MAX);
      List<S> shown =
          IntStream.range(0, samples.size())
              .filter(i -> i % every == 0)
              .mapToObj(samples::get)
              .toList();
      return new Line(
          name,
          shown.stream().map(x::applyAsDouble).toList(),
          shown.stream().map(y::applyAsDouble).toList());
    }

    public Line {
      x = List.copyOf(x);
      y = List.copyOf(y);
      if (x.size() != y.size()) {
        throw new IllegalArgumentException(name + ": " + x.size() + " x and " + y.size() + " y");
      }
    }
  }
}
