// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.lab.comparison.BenchListener;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;

/**
 * The screen while variants take turns: the progress, and a line for each that is over.
 *
 * @param figures gets those of all turns
 * @param line one turn's figures in words
 */
record BenchScreen<F>(PrintWriter out, Progress progress, List<F> figures, Function<F, String> line)
    implements BenchListener<F> {

  @Override
  public void progress(String text) {
    progress.show(text);
  }

  @Override
  public void finished(F turn) {
    figures.add(turn);
    progress.clear();
    out.println(line.apply(turn));
    out.flush();
  }
}
