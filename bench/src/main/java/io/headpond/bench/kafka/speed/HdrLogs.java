// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.load.HistogramLogs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The latencies of the phases at a fixed rate: a log for each load, variant and phase. */
public final class HdrLogs {

  private HdrLogs() {}

  /**
   * Writes {@code LOAD-VARIANT-PHASE.hlog} into {@code folder}, replacing what is there.
   *
   * @param runs in the order of their rounds
   */
  public static void write(Path folder, List<RunFigures> runs) throws IOException {
    Map<String, List<Histogram>> files = new LinkedHashMap<>();
    for (RunFigures run : runs) {
      add(files, run, "latency", run.latency());
      add(files, run, "roll", run.roll());
    }
    HistogramLogs.write(folder, files);
  }

  private static void add(
      Map<String, List<Histogram>> files, RunFigures run, String phase, LatencyFigures figures) {
    if (figures != null) {
      String name =
          String.format(
              Locale.ROOT,
              "%dB-acks-%s-%s-%s-%s",
              run.load().recordBytes(),
              run.load().acks(),
              run.load().compression(),
              run.variant(),
              phase);
      files.computeIfAbsent(name, n -> new ArrayList<>()).add(figures.histogram());
    }
  }
}
