// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import java.util.List;

/**
 * One chart of the report.
 *
 * @param number of its data in the page
 * @param alternative the same in words
 */
record Chart(int number, String caption, String alternative, Plot plot) {

  /**
   * A chart that report.js draws.
   *
   * @param kind {@code ratios}: a dot with whiskers for each line of {@code x}; {@code lines}: a
   *     line for each series over {@code x}; {@code curve}: the same where {@code x} are numbers
   *     and a series has only some of them
   * @param x names of the lines, or what stands below the axis
   * @param logarithmic whether the values' axis is, and that of a curve's {@code x}
   * @param xTitle of a curve's {@code x} with its unit; otherwise null
   */
  record Plot(
      String kind,
      String unit,
      boolean logarithmic,
      List<String> x,
      List<Line> series,
      String xTitle) {}

  /**
   * Values by {@code x}; of ratios there are three: medians, smallest and largest.
   *
   * @param senses of ratios, on which side of 1 they are: 1 better, -1 worse, 0 both
   */
  record Line(String name, List<Double> values, List<Integer> senses) {}
}
