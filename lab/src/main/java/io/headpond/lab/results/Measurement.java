// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import io.headpond.lab.comparison.Figure;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The result of a benchmark, in the one shape from which JSON, CSV and HdrHistogram logs are
 * written, and so tables of {@code compare} and charts of {@code report} made.
 *
 * @param versions of what was measured, by name
 * @param figures with the values of their rounds
 * @param latencies by the names of their files, round by round; empty: none were kept
 * @param othersShareMax the largest share of the processors that something else used in a turn; 0
 *     if the benchmark doesn't watch its turns
 * @param details the benchmark's own part of the JSON: its keys come after those that all have
 * @param labels that only the benchmark knows of
 */
public record Measurement(
    Map<String, String> versions,
    List<Figure> figures,
    Map<String, List<Histogram>> latencies,
    double othersShareMax,
    Object details,
    List<Label> labels) {

  /** Copies what it is made of, but for the histograms. */
  public Measurement {
    versions = Map.copyOf(versions);
    figures = List.copyOf(figures);
    latencies = Map.copyOf(latencies);
    labels = List.copyOf(labels);
  }

  /** The same with other labels. */
  public Measurement with(List<Label> others) {
    return new Measurement(versions, figures, latencies, othersShareMax, details, others);
  }
}
