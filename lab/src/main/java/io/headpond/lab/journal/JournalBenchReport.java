// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.comparison.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a {@link JournalBench}.
 *
 * @param directory and its file system
 * @param durability what a power cut does to it
 * @param bookKeeper version
 * @param java version
 * @param offeredBytesPerSecond how fast entries came at most; 0: as fast as they were acknowledged
 * @param reuse {@code journalReuseFiles} of both
 * @param journalMebibytes size at which the journal rolls
 * @param writeBufferKibibytes the journal's write buffer
 * @param rows by entry size and number under way
 */
public record JournalBenchReport(
    String directory,
    String durability,
    String bookKeeper,
    String java,
    long offeredBytesPerSecond,
    boolean reuse,
    int journalMebibytes,
    int writeBufferKibibytes,
    List<Row> rows)
    implements Report {

  /**
   * From logging an entry to its acknowledgement.
   *
   * @param medianNanos of the turns' medians
   * @param p99Nanos of the turns' P99
   */
  public record Latency(Spread medianNanos, Spread p99Nanos) {}

  /**
   * One load. Processor time is that of everything but the thread that logs the entries: the
   * journal's own threads, run-ahead and zeroing included.
   *
   * @param underWay entries at most that wait for their acknowledgement; 0: as many as a busy
   *     bookie has
   * @param bytesPerSecond with Headpond's provider
   * @param defaultBytesPerSecond with BookKeeper's own
   * @param throughputRatio {@link Spread#ofRatios} of Headpond's to the default's; null: none
   * @param cpuNanosPerByte with Headpond's provider
   * @param defaultCpuNanosPerByte with BookKeeper's own
   * @param cpuRatio likewise
   * @param latency with Headpond's provider; null: not measured
   * @param defaultLatency with BookKeeper's own
   * @param p99Ratio of P99
   * @param deviceBytesPerByte written by the device for each byte of an entry, whoever writes to
   *     it; null: nobody counts
   * @param defaultDeviceBytesPerByte with BookKeeper's own
   * @param rolls of Headpond's journal in all rounds
   * @param reused of them, those into an old file
   */
  public record Row(
      int entryBytes,
      int underWay,
      Spread bytesPerSecond,
      Spread defaultBytesPerSecond,
      Spread throughputRatio,
      Spread cpuNanosPerByte,
      Spread defaultCpuNanosPerByte,
      Spread cpuRatio,
      Latency latency,
      Latency defaultLatency,
      Spread p99Ratio,
      Spread deviceBytesPerByte,
      Spread defaultDeviceBytesPerByte,
      long rolls,
      long reused) {
    private String load() {
      return "entries of "
          + entryBytes
          + " B"
          + (underWay == 0 ? "" : ", " + underWay + " under way");
    }
  }

  private static final Figure.Kind THROUGHPUT =
      new Figure.Kind("throughput", "throughput", "MB/s", true);
  private static final Figure.Kind CPU =
      new Figure.Kind("journal_cpu", "processor time", "ns/B", false);
  private static final Figure.Kind MEDIAN =
      new Figure.Kind("journal_p50", "latency P50", "ms", false);
  private static final Figure.Kind P99 = new Figure.Kind("journal_p99", "latency P99", "ms", false);
  private static final Figure.Kind DEVICE =
      new Figure.Kind("device_bytes", "bytes written by the device for a byte", "B", false);

  @Override
  public Map<String, String> versions() {
    return Map.of("bookkeeper", bookKeeper);
  }

  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (Row row : rows) {
      String load = row.load();
      figures.add(THROUGHPUT.of(load, "headpond", row.bytesPerSecond.in(1e6), "default"));
      figures.add(THROUGHPUT.of(load, "default", row.defaultBytesPerSecond.in(1e6)));
      figures.add(CPU.of(load, "headpond", row.cpuNanosPerByte, "default"));
      figures.add(CPU.of(load, "default", row.defaultCpuNanosPerByte));
      if (row.latency != null) {
        figures.add(MEDIAN.of(load, "headpond", row.latency.medianNanos.in(1e6), "default"));
        figures.add(MEDIAN.of(load, "default", row.defaultLatency.medianNanos.in(1e6)));
        figures.add(P99.of(load, "headpond", row.latency.p99Nanos.in(1e6), "default"));
        figures.add(P99.of(load, "default", row.defaultLatency.p99Nanos.in(1e6)));
      }
      if (row.deviceBytesPerByte != null) {
        figures.add(DEVICE.of(load, "headpond", row.deviceBytesPerByte, "default"));
        figures.add(DEVICE.of(load, "default", row.defaultDeviceBytesPerByte));
      }
    }
    return figures;
  }

  @Override
  public String table() {
    TextTable table = new TextTable().left("").left("Headpond").left("default").left("ratio");
    for (Row row : rows) {
      table.row(row.load(), "", "", "");
      table.row(
          "  MB/s",
          row.bytesPerSecond.in(1e6).text(1),
          row.defaultBytesPerSecond.in(1e6).text(1),
          Spread.ratioText(row.throughputRatio, 2));
      table.row(
          "  processor time, ns/B",
          row.cpuNanosPerByte.text(2),
          row.defaultCpuNanosPerByte.text(2),
          Spread.ratioText(row.cpuRatio, 2));
      if (row.latency != null) {
        table.row(
            "  latency P50, ms",
            row.latency.medianNanos.in(1e6).text(3),
            row.defaultLatency.medianNanos.in(1e6).text(3),
            Spread.ratioText(
                Spread.ofRatios(
                        row.latency.medianNanos.values(), row.defaultLatency.medianNanos.values())
                    .orElse(null),
                2));
        table.row(
            "  latency P99, ms",
            row.latency.p99Nanos.in(1e6).text(3),
            row.defaultLatency.p99Nanos.in(1e6).text(3),
            Spread.ratioText(row.p99Ratio, 2));
      }
      if (row.deviceBytesPerByte != null) {
        table.row(
            "  written by the device, B/B",
            row.deviceBytesPerByte.text(2),
            row.defaultDeviceBytesPerByte.text(2),
            "");
      }
      table.row("  rolls into a reused file", row.reused + " of " + row.rolls, "", "");
    }
    return String.format(
            Locale.ROOT,
            "journal alone on %s, %s; BookKeeper %s, Java %s; rolls at %d MiB, journalReuseFiles=%s,"
                + " write buffer %d KiB; offered %s%nmedian (smallest-largest) of the rounds%n%n",
            directory,
            durability,
            bookKeeper,
            java,
            journalMebibytes,
            reuse,
            writeBufferKibibytes,
            offeredBytesPerSecond == 0
                ? "as fast as acknowledged"
                : String.format(Locale.ROOT, "at most %.0f MB/s", offeredBytesPerSecond / 1e6))
        + table.text();
  }
}
