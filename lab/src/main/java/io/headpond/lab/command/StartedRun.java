// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.Starts;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The run of a benchmark whose engines are started afresh several times, from the first turn to the
 * document.
 *
 * @param metrics by which turns are compared
 * @param headpond the variant that the others are compared with
 * @param line one turn in words
 * @param <L> load
 * @param <V> variant
 * @param <T> a turn's figures
 */
record StartedRun<L, V extends ComparedVariant, T extends RoundFigures<L, V>>(
    CommandSpec spec,
    RunPlace place,
    List<Metric<T>> metrics,
    V headpond,
    Function<T, String> line) {

  /** The turns of all starts. */
  interface Work<T> {
    void run(Starts all, BenchListener<T> listener) throws IOException, InterruptedException;
  }

  /** The tables of what was measured, and its document. */
  interface Result<L, V extends ComparedVariant, T> {
    Measurement shown(List<T> turns, List<Comparison<L, V>> comparisons) throws IOException;
  }

  /**
   * Measures, shows and writes.
   *
   * @param begun when the command began
   * @return null if Ctrl-C has ended it
   */
  Measurement run(BenchRun begun, Work<T> work, Result<L, V, T> result)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<T> turns = new ArrayList<>();
    try (Progress progress = new Progress(spec.commandLine().getErr());
        Starts all = new Starts()) {
      BenchScreen<T> screen = new BenchScreen<>(out, progress, turns, line);
      if (!new InterruptibleRun(all).run(() -> work.run(all, screen))) {
        return null;
      }
      progress.clear();
      place.measureHome();
      Measurement measured = result.shown(turns, Comparison.of(turns, metrics, headpond));
      place.printLabels(out);
      place.write(begun, measured);
      return measured;
    }
  }
}
