// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.migration;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Set;

/** Measures migration; uses folders of its own on both devices, and removes them. */
public final class MigrationBench {
  /** The measures. */
  public enum Measure {
    RATE,
    APPENDS,
    BURST
  }

  /**
   * Sets up a measurement.
   *
   * @param fast a directory on the fast tier's device
   * @param home a directory on the home's device
   * @param bytes to migrate in a round
   * @param segmentBytes size of a segment, where the rate is measured
   * @param rounds of each measurement
   * @param log is told of progress
   */
  public record Options(
      Path fast,
      Path home,
      Set<Measure> measures,
      long bytes,
      long segmentBytes,
      int rounds,
      PrintStream log) {
    /** Copies the set. */
    public Options {
      measures = Set.copyOf(measures);
    }
  }

  private final Options options;

  /** Touches nothing yet. */
  public MigrationBench(Options options) {
    this.options = options;
  }

  /** Measures. */
  public MigrationReport run() throws IOException {
    Device fast = Device.detect(options.fast());
    Device home = Device.detect(options.home());
    return new MigrationReport(
        options.fast() + " (" + fast.fileSystemType() + ")",
        fast.durability().toString(),
        options.home() + " (" + home.fileSystemType() + ")",
        asked(Measure.RATE) ? new RateRuns(options).run() : null,
        asked(Measure.APPENDS) ? new AppendRuns(options).run() : null,
        asked(Measure.BURST) ? new BurstRuns(options).run() : null);
  }

  private boolean asked(Measure measure) {
    return options.measures().contains(measure);
  }
}
