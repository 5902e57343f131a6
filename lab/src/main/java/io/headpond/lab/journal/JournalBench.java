// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.bookkeeper.journal.JournalSetup;
import io.headpond.lab.bookkeeper.journal.JournalSlice;
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
   * @param underWay entries at most that wait for their acknowledgement; 0: as many as a busy
   *     bookie has, without a latency
   * @param reuse {@code journalReuseFiles} of both
   * @param rounds of each size and number under way
   * @param slice how long each of the two runs in a round
   * @param bytesPerSecond how fast entries come at most; 0: as fast as they are acknowledged
   * @param journalMebibytes size at which the journal rolls
   * @param writeBufferKibibytes the journal's write buffer, for both
   * @param log is told of progress
   */
  public record Options(
      Path directory,
      EngineRelease release,
      List<Integer> entryBytes,
      List<Integer> underWay,
      boolean reuse,
      int rounds,
      Duration slice,
      long bytesPerSecond,
      int journalMebibytes,
      int writeBufferKibibytes,
      PrintStream log) {
    /** Copies the lists. */
    public Options {
      entryBytes = List.copyOf(entryBytes);
      underWay = List.copyOf(underWay);
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
      Optional<BlockCounter> counter =
          device.blockDevice().map(name -> new BlockCounter(Path.of("/sys"), name));
      for (int bytes : options.entryBytes()) {
        warmUp("headpond", ours, bytes);
        warmUp("default", theirs, bytes);
        for (int underWay : options.underWay()) {
          JournalTurns own = new JournalTurns(ours, bytes, underWay, counter);
          JournalTurns other = new JournalTurns(theirs, bytes, underWay, counter);
          rows.add(row(bytes, underWay, own, other));
        }
      }
      return new JournalBenchReport(
          options.directory() + " (" + device.fileSystemType() + ")",
          device.durability().toString().toLowerCase(Locale.ROOT),
          options.release().version(),
          Runtime.version().toString(),
          options.bytesPerSecond(),
          options.reuse(),
          options.journalMebibytes(),
          options.writeBufferKibibytes(),
          rows);
    } finally {
      FolderRemoval.remove(folder, true);
    }
  }

  private JournalProcess start(Path folder, String name, String provider) throws IOException {
    Path own = Files.createDirectory(folder.resolve(name));
    return new JournalProcess(
        name,
        options.release(),
        new JournalSetup(
            own.toString(),
            provider,
            options.reuse(),
            options.journalMebibytes(),
            BACKUPS,
            options.writeBufferKibibytes()));
  }

  /** With reuse, until the directory holds as many files as are kept, and some more were begun. */
  private void warmUp(String name, JournalProcess journal, int bytes)
      throws IOException, InterruptedException {
    int rolls = options.reuse() ? 2 * BACKUPS : 0;
    JournalSlice last = journal.run(bytes, warmUpSlice(), 0, 0);
    for (int slice = 1;
        slice < WARM_UP_SLICES_MIN || last.rolls() < rolls && slice < WARM_UP_SLICES_MAX;
        slice++) {
      last = journal.run(bytes, warmUpSlice(), 0, 0);
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

  private JournalBenchReport.Row row(
      int bytes, int underWay, JournalTurns ours, JournalTurns theirs)
      throws IOException, InterruptedException {
    JournalSlice before = ours.warmUp(options.slice(), options.bytesPerSecond());
    for (int round = 0; round < options.rounds(); round++) {
      boolean oursFirst = round % 2 == 0;
      (oursFirst ? ours : theirs).turn(options.slice(), options.bytesPerSecond());
      (oursFirst ? theirs : ours).turn(options.slice(), options.bytesPerSecond());
    }
    JournalSlice last = ours.last();
    return new JournalBenchReport.Row(
        bytes,
        underWay,
        ours.bytesPerSecond(),
        theirs.bytesPerSecond(),
        ours.ratio(theirs, JournalSlice::bytesPerSecond),
        ours.cpuNanosPerByte(),
        theirs.cpuNanosPerByte(),
        ours.ratio(theirs, JournalSlice::cpuNanosPerByte),
        ours.latency(),
        theirs.latency(),
        ours.ratio(theirs, JournalSlice::p99Nanos),
        ours.deviceBytesPerByte(),
        theirs.deviceBytesPerByte(),
        last.rolls() - before.rolls(),
        last.reused() - before.reused());
  }
}
