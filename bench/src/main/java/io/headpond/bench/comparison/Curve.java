// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.comparison;

import java.util.List;

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

  public Curve {
    lines = List.copyOf(lines);
  }

  /**
   * A line through points, as many of {@code x} as of {@code y}.
   *
   * @param name of a variant
   */
  public record Line(String name, List<Double> x, List<Double> y) {
    public Line {
      x = List.copyOf(x);
      y = List.copyOf(y);
      if (x.size() != y.size()) {
        throw new IllegalArgumentException(name + ": " + x.size() + " x and " + y.size() + " y");
      }
    }
  }
}
