// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The latencies of the phases at a fixed rate in HdrHistogram's log format: a file for each load,
 * variant and phase, with an interval for each round. Nanoseconds; the columns for people are
 * milliseconds.
 */
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
    for (Map.Entry<String, List<Histogram>> file : files.entrySet()) {
      writeLog(folder.resolve(file.getKey()), file.getValue());
    }
  }

  private static void add(
      Map<String, List<Histogram>> files, RunFigures run, String phase, LatencyFigures figures) {
    if (figures != null) {
      String name =
          String.format(
              Locale.ROOT,
              "%dB-acks-%s-%s-%s-%s.hlog",
              run.load().recordBytes(),
              run.load().acks(),
              run.load().compression(),
              run.variant(),
              phase);
      files.computeIfAbsent(name, n -> new ArrayList<>()).add(figures.histogram());
    }
  }

  private static void writeLog(Path file, List<Histogram> rounds) throws IOException {
    HistogramLogWriter log = new HistogramLogWriter(file.toFile());
    try {
      log.outputComment("[latency in ns from when a record was due; one interval for each round]");
      log.outputLogFormatVersion();
      log.outputStartTime(rounds.get(0).getStartTimeStamp());
      log.outputLegend();
      rounds.forEach(log::outputIntervalHistogram);
    } finally {
      log.close();
    }
  }
}
