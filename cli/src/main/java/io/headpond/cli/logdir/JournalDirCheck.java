// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.store.event.EventCode;
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
  private static final Comparator<Mark> NEWEST =
      Comparator.comparingLong(Mark::journal).thenComparingLong(Mark::offset);

  private final Path directory;
  private final List<Path> marks;
  private final boolean running;
  private final Progress progress;
  private final List<Finding> findings = new ArrayList<>();
  private final List<NotWholeJson> notWhole = new ArrayList<>();
  private String replayedFrom;
  private long files;
  private long records;
  private long recordBytes;
  private long bytes;

  /**
   * The findings, for JSON.
   *
   * @param replayedFrom name of the file that a restart begins with; null: with the oldest
   */
  record ResultJson(
      String path,
      String replayedFrom,
      long files,
      long records,
      long recordBytes,
      long bytes,
      List<NotWholeJson> notWhole,
      List<VerifyCommand.FindingJson> findings) {}

  /**
   * Records of a journal that aren't whole, as {@link JournalCheck.NotWhole} has them.
   *
   * @param code that a start logs: HP0714 of records that it leaves out, HP0715 of damaged ones
   */
  record NotWholeJson(String path, String code, long position, long records, long bytes) {}

  /**
   * Where a restart's replay begins.
   *
   * @param journal number of the first one; 0: all there are
   * @param offset in it, bytes
   */
  record Mark(long journal, long offset) {}

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
        replayedFrom,
        files,
        records,
        recordBytes,
        bytes,
        List.copyOf(notWhole),
        VerifyCommand.FindingJson.of(findings));
  }

  private void check() throws IOException {
    Mark mark = mark(marks);
    String first = Long.toHexString(mark.journal()) + ".txn";
    replayedFrom = mark.journal() > 0 ? first : null;
    List<Path> found = journals(directory);
    if (mark.journal() > 0
        && !running
        && found.stream().noneMatch(file -> BookieConfiguration.number(file) == mark.journal())) {
      String detail =
          "a restart replays from here on, and it isn't there: mount the journal's device, or if it is"
              + " lost for good: headpond recover CONF";
      Path missing = current(directory).resolve(first);
      findings.add(Finding.problem(Finding.Kind.MISSING_JOURNAL, missing, detail));
    }
    for (Path file : found) {
      files++;
      progress.show(String.format("%s: journal %,d of %,d", directory, files, found.size()));
      content(file, mark);
    }
  }

  /** Below the mark nothing is replayed, and a crash may have left a file half made ready there. */
  private void content(Path file, Mark mark) {
    long number = BookieConfiguration.number(file);
    long from = number < mark.journal() ? Long.MAX_VALUE : 0;
    try {
      JournalCheck.Result result =
          JournalCheck.run(file, number == mark.journal() ? mark.offset() : from);
      records += result.records();
      recordBytes += result.recordBytes();
      bytes += result.bytes();
      if (running) {
        return;
      }
      if (result.fault() != null && number >= mark.journal()) {
        String detail = result.fault() + ": a restart would refuse it";
        findings.add(Finding.problem(Finding.Kind.CORRUPT_JOURNAL, file, detail));
      }
      for (JournalCheck.NotWhole part : result.notWhole()) {
        notWhole(file, part);
      }
    } catch (IOException e) {
      if (!running) {
        findings.add(Finding.unreadable(file, e));
      }
    }
  }

  private void notWhole(Path file, JournalCheck.NotWhole part) {
    boolean damaged = part.state() == JournalCheck.State.DAMAGED;
    EventCode code = damaged ? BookieCodes.GROUP_DAMAGED : BookieCodes.GROUP_TORN;
    notWhole.add(
        new NotWholeJson(
            file.toString(), code.code(), part.position(), part.records(), part.bytes()));
    String where =
        "whole up to byte "
            + part.position()
            + "; "
            + Units.count(part.records(), "record")
            + " ("
            + Units.bytes(part.bytes())
            + ") behind ";
    findings.add(
        damaged
            ? Finding.problem(
                Finding.Kind.DAMAGED_GROUP,
                file,
                where
                    + "were stored and are damaged; a restart replays what can be read ("
                    + code.code()
                    + "). "
                    + code.remedy())
            : Finding.note(
                Finding.Kind.TORN_GROUP,
                file,
                where
                    + "are of a group that isn't: a restart leaves it out ("
                    + code.code()
                    + (part.state() == JournalCheck.State.TORN
                        ? "). If the power went while it was written, no client was told of it. "
                            + code.remedy()
                        : "); no client was told of it")));
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

  /** Where a restart begins, as the last checkpoint says. */
  static Mark mark(List<Path> marks) throws IOException {
    Mark newest = new Mark(0, 0);
    for (Path file : marks) {
      try (FileChannel mark = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer position = ByteBuffer.allocate(MARK_BYTES);
        if (mark.read(position, 0) == MARK_BYTES) {
          Mark found = new Mark(position.getLong(0), position.getLong(Long.BYTES));
          newest = NEWEST.compare(found, newest) > 0 ? found : newest;
        }
      } catch (NoSuchFileException noCheckpointYet) {
        continue;
      }
    }
    return newest;
  }
}
