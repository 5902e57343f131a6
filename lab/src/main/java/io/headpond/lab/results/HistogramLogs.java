// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Latencies in HdrHistogram's log format, an interval for each round. Nanoseconds; the columns for
 * people are milliseconds.
 */
public final class HistogramLogs {

  private static final String SUFFIX = ".hlog";

  private HistogramLogs() {}

  /**
   * Writes {@code NAME.hlog} into {@code folder} for each name, replacing what is there.
   *
   * @param rounds by name, at least one each, in their order and with the times of their beginning
   *     and end
   */
  public static void write(Path folder, Map<String, List<Histogram>> rounds) throws IOException {
    for (Map.Entry<String, List<Histogram>> file : rounds.entrySet()) {
      writeLog(folder.resolve(file.getKey() + SUFFIX), file.getValue());
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
