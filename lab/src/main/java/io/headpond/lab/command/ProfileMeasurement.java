// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Progress;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;

/** A measurement with engines of its own that isn't one of points; once. */
interface ProfileMeasurement {

  /** Measures and prints; false if Ctrl-C has ended it. */
  boolean measure(PrintWriter out, Progress progress) throws IOException, InterruptedException;

  /** The measurement. */
  Measurement measurement();

  /**
   * Measures, prints, and writes what was asked for.
   *
   * @return the exit code
   */
  default int run(CommandLine command, BenchRun run, RunPlace place)
      throws IOException, InterruptedException {
    try (Progress progress = new Progress(command.getErr())) {
      if (!measure(command.getOut(), progress)) {
        return 1;
      }
    }
    place.measureHome();
    place.printLabels(command.getOut());
    place.write(run, measurement());
    return 0;
  }
}
