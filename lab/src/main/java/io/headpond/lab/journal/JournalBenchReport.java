// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.comparison.Spread;
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
 * @param journalMebibytes size at which the journal rolls
 * @param writeBufferKibibytes the journal's write buffer
 * @param rows by entry size
 */
public record JournalBenchReport(
    String directory,
    String durability,
    String bookKeeper,
    String java,
    long offeredBytesPerSecond,
    int journalMebibytes,
    int writeBufferKibibytes,
    List<Row> rows)
    implements Report {

  /**
   * One entry size. Processor time is that of everything but the thread that logs the entries: the
   * journal's own threads, run-ahead and zeroing included.
   *
   * @param bytesPerSecond with Headpond's provider
   * @param defaultBytesPerSecond with BookKeeper's own
   * @param throughputRatio {@link Spread#ofRatios} of Headpond's to the default's; null: none
   * @param cpuNanosPerByte with Headpond's provider
   * @param defaultCpuNanosPerByte with BookKeeper's own
   * @param cpuRatio likewise
   * @param rolls of Headpond's journal in all rounds
   * @param reused of them, those into an old file
   */
  public record Row(
      int entryBytes,
      Spread bytesPerSecond,
      Spread defaultBytesPerSecond,
      Spread throughputRatio,
      Spread cpuNanosPerByte,
      Spread defaultCpuNanosPerByte,
      Spread cpuRatio,
      long rolls,
      long reused) {}

  private static final Figure.Kind THROUGHPUT =
      new Figure.Kind("throughput", "throughput", "MB/s", true);
  private static final Figure.Kind CPU =
      new Figure.Kind("journal_cpu", "processor time", "ns/B", false);

  @Override
  public Map<String, String> versions() {
    return Map.of("bookkeeper", bookKeeper);
  }

  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (Row row : rows) {
      String load = "entries of " + row.entryBytes + " B";
      figures.add(THROUGHPUT.of(load, "headpond", row.bytesPerSecond.in(1e6), "default"));
      figures.add(THROUGHPUT.of(load, "default", row.defaultBytesPerSecond.in(1e6)));
      figures.add(CPU.of(load, "headpond", row.cpuNanosPerByte, "default"));
      figures.add(CPU.of(load, "default", row.defaultCpuNanosPerByte));
    }
    return figures;
  }

  @Override
  public String table() {
    TextTable table =
        new TextTable()
            .right("entry")
            .left("Headpond, MB/s")
            .left("default, MB/s")
            .left("ratio")
            .left("Headpond, CPU ns/B")
            .left("default, CPU ns/B")
            .left("ratio")
            .left("rolls reused");
    for (Row row : rows) {
      table.row(
          row.entryBytes + " B",
          row.bytesPerSecond.in(1e6).text(0),
          row.defaultBytesPerSecond.in(1e6).text(0),
          Spread.ratioText(row.throughputRatio, 2),
          row.cpuNanosPerByte.text(2),
          row.defaultCpuNanosPerByte.text(2),
          Spread.ratioText(row.cpuRatio, 2),
          row.reused + " of " + row.rolls);
    }
    return String.format(
            Locale.ROOT,
            "journal alone on %s, %s; BookKeeper %s, Java %s; rolls at %d MiB, write buffer %d"
                + " KiB; offered %s%nmedian (smallest-largest) of the rounds%n%n",
            directory,
            durability,
            bookKeeper,
            java,
            journalMebibytes,
            writeBufferKibibytes,
            offeredBytesPerSecond == 0
                ? "as fast as acknowledged"
                : String.format(Locale.ROOT, "at most %.0f MB/s", offeredBytesPerSecond / 1e6))
        + table.text();
  }
}
