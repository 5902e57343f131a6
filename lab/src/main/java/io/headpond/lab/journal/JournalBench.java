// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.bookkeeper.journal.JournalSetup;
import io.headpond.lab.bookkeeper.journal.JournalSlice;
import io.headpond.lab.comparison.Spread;
import io.headpond.pmem.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * BookKeeper's own journal, its threads, queues and buffers included, with Headpond's provider and
 * with its default one, on the same directory's device, set up alike. The two run in turns, so that
 * a machine that gets slower meanwhile doesn't show as a difference.
 *
 * <p>Before the first round each has rolled so often that files are reused, if its provider does
 * that. Beside the journal a thread makes checkpoints, as a bookie's does; there are no ledgers.
 */
public final class JournalBench {
  /** Journal files for reuse: fewer than BookKeeper's five, to need less room. */
  private static final int BACKUPS = 3;

  private static final Duration WARM_UP_SLICE_MAX = Duration.ofSeconds(1);
  private static final int WARM_UP_SLICES_MIN = 3;
  private static final int WARM_UP_SLICES_MAX = 60;

  /**
   * Sets up a measurement.
   *
   * @param directory on the journal's device
   * @param release of BookKeeper
   * @param entryBytes sizes of an entry
   * @param rounds of each size
   * @param slice how long each of the two runs in a round
   * @param bytesPerSecond how fast entries come at most; 0: as fast as they are acknowledged
   * @param journalMebibytes size at which the journal rolls
   * @param writeBufferKibibytes the journal's write buffer, for both
   * @param persist Headpond's back end; empty: its choice
   * @param log is told of progress
   */
  public record Options(
      Path directory,
      EngineRelease release,
      List<Integer> entryBytes,
      int rounds,
      Duration slice,
      long bytesPerSecond,
      int journalMebibytes,
      int writeBufferKibibytes,
      Optional<String> persist,
      PrintStream log) {
    /** Copies the sizes. */
    public Options {
      entryBytes = List.copyOf(entryBytes);
    }
  }

  private final Options options;

  /** Touches nothing yet. */
  public JournalBench(Options options) {
    this.options = options;
  }

  /** Measures; removes what it wrote. */
  public JournalBenchReport run() throws IOException, InterruptedException {
    Device device = Device.detect(options.directory());
    Path folder = Files.createTempDirectory(options.directory(), "headpond-bench-journal-");
    try (JournalProcess ours = start(folder, "headpond", JournalPlugIn.PROVIDER);
        JournalProcess theirs = start(folder, "default", JournalSetup.DEFAULT_PROVIDER)) {
      List<JournalBenchReport.Row> rows = new ArrayList<>();
      for (int bytes : options.entryBytes()) {
        warmUp("headpond", ours, bytes);
        warmUp("default", theirs, bytes);
        rows.add(row(bytes, ours, theirs));
      }
      return new JournalBenchReport(
          options.directory() + " (" + device.fileSystemType() + ")",
          device.durability().toString().toLowerCase(Locale.ROOT),
          options.release().version(),
          Runtime.version().toString(),
          options.bytesPerSecond(),
          options.journalMebibytes(),
          options.writeBufferKibibytes(),
          rows);
    } finally {
      FolderRemoval.remove(folder, true);
    }
  }

  private JournalProcess start(Path folder, String name, String provider) throws IOException {
    Path own = Files.createDirectory(folder.resolve(name));
    Optional<String> persist =
        provider.equals(JournalPlugIn.PROVIDER) ? options.persist() : Optional.empty();
    return new JournalProcess(
        name,
        options.release(),
        new JournalSetup(
            own.toString(),
            provider,
            persist,
            options.journalMebibytes(),
            BACKUPS,
            options.writeBufferKibibytes()));
  }

  /** Logs entries until the directory holds as many files as are kept, and some more were begun. */
  private void warmUp(String name, JournalProcess journal, int bytes)
      throws IOException, InterruptedException {
    JournalSlice last = journal.run(bytes, warmUpSlice(), 0);
    for (int slice = 1;
        slice < WARM_UP_SLICES_MIN || last.rolls() < 2 * BACKUPS && slice < WARM_UP_SLICES_MAX;
        slice++) {
      last = journal.run(bytes, warmUpSlice(), 0);
    }
    options
        .log()
        .printf(
            Locale.ROOT,
            "%d B, %s: warm after %d rolls, %.0f MB/s%n",
            bytes,
            name,
            last.rolls(),
            last.bytesPerSecond() / 1e6);
  }

  private Duration warmUpSlice() {
    return options.slice().compareTo(WARM_UP_SLICE_MAX) < 0 ? options.slice() : WARM_UP_SLICE_MAX;
  }

  private JournalSlice turn(JournalProcess journal, int bytes)
      throws IOException, InterruptedException {
    return journal.run(bytes, options.slice(), options.bytesPerSecond());
  }

  private JournalBenchReport.Row row(int bytes, JournalProcess ours, JournalProcess theirs)
      throws IOException, InterruptedException {
    double[] ourRate = new double[options.rounds()];
    double[] theirRate = new double[options.rounds()];
    double[] ourCpu = new double[options.rounds()];
    double[] theirCpu = new double[options.rounds()];
    long rolls = 0;
    long reused = 0;
    JournalSlice before = turn(ours, bytes);
    for (int round = 0; round < options.rounds(); round++) {
      boolean oursFirst = round % 2 == 0;
      JournalSlice first = turn(oursFirst ? ours : theirs, bytes);
      JournalSlice second = turn(oursFirst ? theirs : ours, bytes);
      JournalSlice own = oursFirst ? first : second;
      JournalSlice other = oursFirst ? second : first;
      ourRate[round] = own.bytesPerSecond();
      theirRate[round] = other.bytesPerSecond();
      ourCpu[round] = own.cpuNanosPerByte();
      theirCpu[round] = other.cpuNanosPerByte();
      rolls = own.rolls() - before.rolls();
      reused = own.reused() - before.reused();
    }
    return new JournalBenchReport.Row(
        bytes,
        Spread.of(ourRate),
        Spread.of(theirRate),
        Spread.ofRatios(ourRate, theirRate).orElse(null),
        Spread.of(ourCpu),
        Spread.of(theirCpu),
        Spread.ofRatios(ourCpu, theirCpu).orElse(null),
        rolls,
        reused);
  }
}
