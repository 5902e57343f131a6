// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A measurement with engines of its own that isn't one of points; once. */
interface ProfileMeasurement {

  /** Measures and prints; false if Ctrl-C has ended it. */
  boolean measure(PrintWriter out, Progress progress) throws IOException, InterruptedException;

  /** All figures. */
  List<Figure> figures();

  /** By the names of their files, round by round. */
  Map<String, List<Histogram>> latencies();

  /** The largest share of the processors that something else used in a turn. */
  double othersShareMax();
}
