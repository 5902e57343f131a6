// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Progress;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Checks that a bookie's journal directory has all journals that a restart replays, and that it
 * would take them. Only reads. Beside a running bookie it only counts: the newest journal is being
 * written, and the oldest may go at any time.
 */
final class JournalDirCheck {
  private static final Pattern JOURNAL = Pattern.compile("[0-9a-f]{1,16}\\.txn");
  private static final int MARK_BYTES = 2 * Long.BYTES;

  private final Path directory;
  private final List<Path> marks;
  private final boolean running;
  private final Progress progress;
  private final List<Finding> findings = new ArrayList<>();
  private long files;
  private long records;
  private long recordBytes;
  private long bytes;

  /** The findings, for JSON. */
  record ResultJson(
      String path,
      long files,
      long records,
      long recordBytes,
      long bytes,
      List<VerifyCommand.FindingJson> findings) {}

  /**
   * A check.
   *
   * @param marks the files in which checkpoints leave the position that a restart begins at
   */
  JournalDirCheck(Path directory, List<Path> marks, boolean running, Progress progress) {
    this.directory = directory;
    this.marks = marks;
    this.running = running;
    this.progress = progress;
  }

  /** Reads everything; what is wrong is a finding. */
  ResultJson run() {
    try {
      check();
    } catch (IOException e) {
      findings.add(Finding.unreadable(directory, e));
    }
    return new ResultJson(
        directory.toString(),
        files,
        records,
        recordBytes,
        bytes,
        VerifyCommand.FindingJson.of(findings));
  }

  private void check() throws IOException {
    long mark = mark(marks);
    List<Path> found = journals(directory);
    if (mark > 0
        && !running
        && found.stream().noneMatch(file -> BookieConfiguration.number(file) == mark)) {
      String detail =
          "a restart replays from here on, and it isn't there: mount the journal's device, or if it is"
              + " lost for good: headpond forget-tier --bookkeeper CONF";
      Path missing = current(directory).resolve(Long.toHexString(mark) + ".txn");
      findings.add(Finding.problem(Finding.Kind.MISSING_JOURNAL, missing, detail));
    }
    for (Path file : found) {
      files++;
      progress.show(String.format("%s: journal %,d of %,d", directory, files, found.size()));
      content(file, mark);
    }
  }

  /** Below the mark nothing is replayed, and a crash may have left a file half made ready there. */
  private void content(Path file, long mark) {
    try {
      JournalCheck.Result result = JournalCheck.run(file);
      records += result.records();
      recordBytes += result.recordBytes();
      bytes += result.bytes();
      if (result.fault() != null && !running && BookieConfiguration.number(file) >= mark) {
        String detail = result.fault() + ": a restart would refuse it";
        findings.add(Finding.problem(Finding.Kind.CORRUPT_JOURNAL, file, detail));
      }
    } catch (IOException e) {
      if (!running) {
        findings.add(Finding.unreadable(file, e));
      }
    }
  }

  private static Path current(Path directory) {
    return directory.resolve(BookieConfiguration.CURRENT);
  }

  /**
   * The journals of a directory, the oldest first.
   *
   * @throws NoSuchFileException if no bookie ever had it
   */
  static List<Path> journals(Path directory) throws IOException {
    Path current = current(directory);
    if (!Files.isDirectory(current)) {
      throw new NoSuchFileException(current.toString());
    }
    return LogDirScan.entries(current, name -> JOURNAL.matcher(name).matches()).stream()
        .map(LogDirScan.Entry::name)
        .sorted(Comparator.comparingLong(BookieConfiguration::number))
        .toList();
  }

  /** The journal that a restart replays first, as the last checkpoint says; 0: all there are. */
  static long mark(List<Path> marks) throws IOException {
    long newest = 0;
    for (Path file : marks) {
      try (FileChannel mark = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer position = ByteBuffer.allocate(MARK_BYTES);
        if (mark.read(position, 0) == MARK_BYTES) {
          newest = Math.max(newest, position.getLong(0));
        }
      } catch (NoSuchFileException noCheckpointYet) {
        continue;
      }
    }
    return newest;
  }
}
