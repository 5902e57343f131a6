// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

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
   * The histograms by the names of their logs, {@code LOAD-VARIANT-PHASE}.
   *
   * @param runs in the order of their rounds
   */
  public static Map<String, List<Histogram>> of(List<RunFigures> runs) {
    Map<String, List<Histogram>> files = new LinkedHashMap<>();
    for (RunFigures run : runs) {
      add(files, run, "latency", run.latency());
      add(files, run, "roll", run.roll());
    }
    return files;
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
