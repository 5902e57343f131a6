// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.StandardCommand;
import io.headpond.lab.journal.JournalBench;
import io.headpond.lab.journal.JournalBenchReport;
import io.headpond.lab.results.BenchRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab run journal}: BookKeeper's journal alone, with and without Headpond. */
@Command(
    name = "journal",
    description = {
      "Measure BookKeeper's own journal, without network and ledgers.",
      "",
      "Headpond's provider against the default one on the same device, set up alike, in turns. "
          + "Throughput, processor time for a byte, zeroing included, and what the device wrote for "
          + "each byte. About two minutes; needs room for ten journals of --journal-size, which are "
          + "removed at the end."
    },
    footer = {
      "  headpond-lab run journal /mnt/pmem0",
      "  headpond-lab run journal /dev/shm --entry 4KiB --rate 1GiB --rounds 3 --json",
      "  headpond-lab run journal /mnt/nvme0 --entry 1KiB,4KiB --under-way 1,16,256 --no-reuse"
    })
public final class JournalCommand extends StandardCommand {
  private static final int MEBIBYTE = 1 << 20;
  private static final int ENTRY_BYTES_MIN = 64;
  private static final int ENTRY_BYTES_MAX = 4 * MEBIBYTE;
  private static final int UNDER_WAY_MAX = 65_536;

  @Mixin private DeviceDirectory directory;

  @Option(
      names = "--entry",
      paramLabel = "SIZE",
      split = ",",
      converter = SizeConverter.class,
      description = "Sizes of an entry (default: 1KiB,4KiB,64KiB).")
  private List<Long> entries = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Rounds of each size, each with a turn of both (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration slice;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Bytes of entries in a second at most, for processor time at the same work"
              + " (default: as fast as they are acknowledged).")
  private long bytesPerSecond;

  @Option(
      names = "--under-way",
      paramLabel = "N",
      split = ",",
      description =
          "Entries at most that wait for their acknowledgement, for latency (default: as many as a"
              + " busy bookie has, 16 MiB at most, and no latency).")
  private List<Integer> underWay = new ArrayList<>();

  @Option(
      names = "--no-reuse",
      description = "journalReuseFiles=false for both, which is BookKeeper's default.")
  private boolean noReuse;

  @Option(
      names = "--journal-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "512MiB",
      description = "journalMaxSizeMB (default: ${DEFAULT-VALUE}).")
  private long journalBytes;

  @Option(
      names = "--write-buffer",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "1MiB",
      description = "journalWriteBufferSizeKB (default: ${DEFAULT-VALUE}).")
  private long writeBufferBytes;

  @Mixin private EngineHome engineHome;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    directory.checked();
    BenchRun run = new BenchRun(spec());
    JournalBenchReport report = new JournalBench(options()).run();
    ReportOutput.print(run, out(), report, json.given());
    return 0;
  }

  private JournalBench.Options options() throws IOException, InterruptedException {
    List<Integer> sizes = new ArrayList<>();
    for (long bytes : entries) {
      if (bytes < ENTRY_BYTES_MIN || bytes > ENTRY_BYTES_MAX) {
        throw wrongUsage("--entry must be 64B to 4MiB");
      }
      sizes.add((int) bytes);
    }
    if (underWay.stream().anyMatch(each -> each < 1 || each > UNDER_WAY_MAX)) {
      throw wrongUsage("--under-way must be 1 to " + UNDER_WAY_MAX);
    }
    if (rounds < 1 || slice.isZero() || slice.toMinutes() > 0) {
      throw wrongUsage("--rounds must be 1 or more, --slice more than 0 and less than 1m");
    }
    if (journalBytes < MEBIBYTE || journalBytes > 1L << 40) {
      throw wrongUsage("--journal-size must be 1MiB to 1TiB");
    }
    if (writeBufferBytes < 1 << 10 || writeBufferBytes > 64 * MEBIBYTE) {
      throw wrongUsage("--write-buffer must be 1KiB to 64MiB");
    }
    return new JournalBench.Options(
        directory.checked().toRealPath(),
        engineHome.release(ScenarioEngine.BOOKKEEPER, err()),
        sizes.isEmpty() ? List.of(1 << 10, 4 << 10, 64 << 10) : sizes,
        underWay.isEmpty() ? List.of(0) : underWay,
        !noReuse,
        rounds,
        slice,
        bytesPerSecond,
        (int) (journalBytes / MEBIBYTE),
        (int) (writeBufferBytes >> 10),
        System.err); // the progress of minutes; stdout is the result's
  }
}
