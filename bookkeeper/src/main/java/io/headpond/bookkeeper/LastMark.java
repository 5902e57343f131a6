// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * The position up to which a journal is no longer needed, as the bookie's checkpoints leave it in
 * {@code lastMark} files of the ledger directories: what a restart replays begins there. Any
 * thread.
 *
 * <p>The mark can go back by one: two checkpoints overlap, and up to 4.17 the older one may write
 * its mark after the newer one (<a href="https://github.com/apache/bookkeeper/issues/4105">#4105
 * </a>). A start that doesn't find the mark's journal is refused, so a journal counts as passed
 * only when two different marks are beyond it.
 *
 * <p>Format (BookKeeper, {@code Journal.LastLogMark}): two big-endian longs, the journal's id and
 * an offset in it. With several journal directories each has files of its own, numbered.
 */
final class LastMark {
  private static final int BYTES = 2 * Long.BYTES;

  private record Mark(long journalId, long offset) implements Comparable<Mark> {
    @Override
    public int compareTo(Mark other) {
      int order = Long.compare(journalId, other.journalId);
      return order == 0 ? Long.compare(offset, other.offset) : order;
    }
  }

  private final List<Path> files;

  /** The last one that was found; null: none yet. */
  private Mark newest;

  /** No restart replays a journal of a smaller id; only grows. */
  private long passed = Long.MIN_VALUE;

  LastMark(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /** The marks of one of the configured journal directories; of none for any other directory. */
  static LastMark of(File journalDirectory, ServerConfiguration configuration) {
    File[] journals = configuration.getJournalDirs();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < journals.length; i++) {
      File journal = journals[i].getAbsoluteFile();
      if (journalDirectory.equals(journal)
          || journalDirectory.equals(new File(journal, "current"))) {
        String name = journals.length == 1 ? "lastMark" : "lastMark." + i;
        for (File ledgers : configuration.getLedgerDirs()) {
          files.add(ledgers.toPath().resolve("current").resolve(name));
        }
      }
    }
    return new LastMark(files);
  }

  /**
   * True if a restart replays nothing of that journal, also after a power cut that comes now: what
   * is read here may still be on its way to the disk, so it is forced. Once for each mark: a force
   * on the ledgers' disk waits for their flush, and makes it wait.
   */
  synchronized boolean durablyBeyond(long journalId) throws IOException {
    if (passed <= journalId) {
      look();
    }
    return passed > journalId;
  }

  /** A start takes the greatest of the marks. */
  private void look() throws IOException {
    Mark found = null;
    Path greatest = null;
    for (Path file : files) {
      Mark mark = read(file);
      if (mark != null && (found == null || mark.compareTo(found) > 0)) {
        found = mark;
        greatest = file;
      }
    }
    if (found == null || found.equals(newest)) {
      return;
    }
    Mark before = newest;
    newest = found; // also if the force fails: another force would prove nothing
    if (before != null && Math.min(before.journalId, found.journalId) > passed) {
      force(greatest);
      passed = Math.min(before.journalId, found.journalId);
    }
  }

  /** Null: there is none, or it is just being written. */
  private static Mark read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(BYTES);
      return channel.read(bytes, 0) == BYTES
          ? new Mark(bytes.getLong(0), bytes.getLong(Long.BYTES))
          : null;
    } catch (NoSuchFileException noCheckpointYet) {
      return null;
    }
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
