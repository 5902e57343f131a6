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
import java.util.concurrent.atomic.AtomicLong;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * The position up to which a journal is no longer needed, as the bookie's checkpoints leave it in
 * {@code lastMark} files of the ledger directories: what a restart replays begins there. Any
 * thread.
 *
 * <p>Format (BookKeeper, {@code Journal.LastLogMark}): two big-endian longs, the journal's id and
 * an offset in it. With several journal directories each has files of its own, numbered.
 */
final class LastMark {
  private static final int BYTES = 2 * Long.BYTES;

  private final List<Path> files;

  /** No restart replays a journal of a smaller id; only grows. */
  private final AtomicLong durable = new AtomicLong(Long.MIN_VALUE);

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
  boolean durablyBeyond(long journalId) throws IOException {
    if (durable.get() > journalId) {
      return true;
    }
    for (Path file : files) {
      try (FileChannel mark = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        // It is shorter while it is being written.
        if (mark.read(bytes, 0) == BYTES && bytes.getLong(0) > journalId) {
          mark.force(true);
          durable.accumulateAndGet(bytes.getLong(0), Math::max);
          return true;
        }
      } catch (NoSuchFileException noCheckpointYet) {
        continue;
      }
    }
    return false;
  }
}
