// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Background;
import io.headpond.pmem.ZeroFill;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The oldest journal of a directory, once it isn't needed any more, made ready in the background
 * for its next life.
 *
 * <p><b>Why it is safe.</b> BookKeeper's own condition for reuse is weaker than its condition for
 * deletion: it takes the oldest file as soon as there are {@code journalMaxBackups} of them and it
 * isn't the one being written, also if the ledger storage hasn't been flushed so far. Here a file
 * becomes the spare only if the {@link LastMark} on disk has passed it, and the one before too: no
 * restart reads it, whichever of two checkpoints ends last. Where stores keep their order (see
 * {@link JournalFileChannel}) its first page is zeroed and forced, under its old name, before
 * BookKeeper is told that it may be taken: under the old name nobody reads it; under the new one a
 * scan ends at the zero behind the header, and later at the one behind the last group. Elsewhere,
 * on a disk that is forced after several writes, all of it is zeroed.
 *
 * <p><b>Threads.</b> {@link #ready}, {@link #taken} and {@link #written} from the journal thread;
 * the work is done by one thread of its own.
 */
final class SpareJournal implements AutoCloseable {

  /** A checkpoint is looked for at most that often, */
  private static final long NUDGE_NANOS = 50_000_000;

  /** and so often for each journal that is filled: a look lists the directory. */
  private static final int LOOKS_PER_JOURNAL = 16;

  /** Zeroing is ahead of the journal's filling by this factor at most; */
  private static final int ZEROED_PER_FILLED = 3;

  /** after so long it goes on by a slice all the same, */
  private static final long PACE_NANOS = 5_000_000;

  /** and looks so often. */
  private static final long PACE_STEP_NANOS = 250_000;

  /** A sector, which no power cut tears. */
  private static final int HEADER_BYTES = 512;

  /** A header and the length behind it, in all formats. */
  private static final int FIRST_BYTES = 4096;

  private static final String SUFFIX = ".txn";

  /** A file that may be taken. */
  private record Ready(long id, long bytes) {}

  private final Background background;
  private final Path directory;
  private final LastMark lastMark;
  private final int backups;
  private final boolean whole;
  private final long bytesPerLook;
  private long unlooked;
  private volatile long filled;
  private long nudgedNanos = System.nanoTime() - NUDGE_NANOS;
  private volatile Thread thread;
  private volatile boolean wanted;
  private volatile Ready ready;
  private volatile long hopeless = -1;
  private volatile long looks;
  private volatile long zeroedBytes;
  private volatile boolean closed;

  /**
   * A directory without a spare as yet.
   *
   * @param background makes its thread
   * @param backups {@code journalMaxBackups}: with fewer files BookKeeper takes none
   * @param journalBytes how long a journal becomes
   * @param whole must all of it be zero, for lack of an order of stores?
   */
  SpareJournal(
      Background background,
      Path directory,
      LastMark lastMark,
      int backups,
      long journalBytes,
      boolean whole) {
    this.background = background;
    this.directory = directory;
    this.lastMark = lastMark;
    this.backups = backups;
    this.whole = whole;
    this.bytesPerLook = journalBytes / LOOKS_PER_JOURNAL;
  }

  /**
   * So many bytes more are in the journal: looks for a spare now and then, if there is none. Costs
   * the caller next to nothing.
   */
  void written(long bytes) {
    filled += bytes; // by this thread alone
    unlooked += bytes;
    if (unlooked < bytesPerLook || ready != null || closed) {
      return;
    }
    long now = System.nanoTime();
    if (now - nudgedNanos < NUDGE_NANOS) {
      return;
    }
    unlooked = 0;
    nudgedNanos = now;
    wanted = true;
    if (thread == null) {
      Thread made = background.loop("headpond-journal-spare", this::next);
      thread = background.start(made) ? made : null; // null: asked for again at the next look
    } else {
      LockSupport.unpark(thread);
    }
  }

  /** True if the file that BookKeeper would reuse, the oldest one, is the spare. */
  boolean ready() {
    Ready spare = ready;
    if (spare == null || closed) {
      return false;
    }
    try {
      List<Long> ids = journalIds();
      if (!ids.isEmpty() && ids.get(0) == spare.id) {
        return true;
      }
    } catch (IOException e) {
      BookieCodes.JOURNALS_UNLISTED.log(directory, e.toString());
    }
    ready = null; // deleted by a checkpoint meanwhile
    return false;
  }

  /**
   * The file was renamed to its new name.
   *
   * @return its length, bytes; -1: it isn't the spare, it isn't ready to be written to
   */
  long taken(Path source) {
    Ready spare = ready;
    ready = null;
    unlooked = bytesPerLook;
    nudgedNanos = System.nanoTime() - NUDGE_NANOS;
    return spare != null && source.getFileName().toString().equals(name(spare.id))
        ? spare.bytes
        : -1;
  }

  /** Is a spare zero from its first byte to its last? */
  boolean zeroesAll() {
    return whole;
  }

  /** Bytes zeroed so far. */
  long zeroedBytes() {
    return zeroedBytes;
  }

  /** Number of searches for a spare, for tests. */
  long looks() {
    return looks;
  }

  private static String name(long id) {
    return Long.toHexString(id) + SUFFIX;
  }

  /** As {@code Journal.listJournalIds}: ascending. */
  private List<Long> journalIds() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (Path file : NameLook.list(directory)) {
      String name = file.getFileName().toString();
      if (!name.endsWith(SUFFIX)) {
        continue;
      }
      try {
        ids.add(Long.parseLong(name.split("\\.")[0], 16));
      } catch (NumberFormatException notAJournal) {
        continue;
      }
    }
    ids.sort(null);
    return ids;
  }

  private boolean next() {
    if (closed) {
      return false;
    }
    if (wanted && ready == null) {
      wanted = false;
      prepare();
      looks++;
    } else {
      LockSupport.park(this);
    }
    return !closed;
  }

  private void prepare() {
    long oldest = -1;
    try {
      List<Long> ids = journalIds();
      if (ids.isEmpty()) {
        return;
      }
      oldest = ids.get(0);
      boolean passed =
          oldest != hopeless && lastMark.durablyBeyond(oldest); // each look tells marks
      if (!passed || ids.size() < backups) {
        return;
      }
      Path file = directory.resolve(name(oldest));
      int names = ((Number) Files.getAttribute(file, "unix:nlink")).intValue();
      if (names == 0) {
        return; // a checkpoint deletes it just now
      }
      if (names > 1 || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(file + ": has another name too, which keeps its bytes");
      }
      long bytes = Files.size(file);
      if (zero(file, bytes)) {
        ready = new Ready(oldest, bytes);
      }
    } catch (NoSuchFileException deletedByACheckpoint) {
      return;
    } catch (IOException | RuntimeException e) {
      hopeless = oldest;
      BookieCodes.JOURNAL_NOT_REUSED.log(directory, e.toString());
    }
  }

  /**
   * The header goes first, and durably: while a checkpoint writes its mark a power cut may leave
   * none, and a start then reads all journals. One without a header is empty to it, one that is
   * zeroed in the middle is not.
   */
  private boolean zero(Path file, long bytes) throws IOException {
    ZeroFill.begin(file, bytes, Math.min(HEADER_BYTES, bytes));
    long zeros = whole ? bytes : Math.min(FIRST_BYTES, bytes);
    if (whole) {
      if (!ZeroFill.overwriteSliced(file, bytes, new Pace(file)::stopped)) {
        return false;
      }
    } else {
      ZeroFill.begin(file, bytes, zeros);
    }
    zeroedBytes += zeros; // by this thread alone
    return true;
  }

  /**
   * Zeroing in the step of the journal: it is done when the next file is needed, and never has a
   * processor or the disk for long that an append waits for. An idle journal's spare gets 50 MiB/s.
   */
  private final class Pace {
    private final Path file;
    private final long filledBefore = filled;
    private long allowed;

    Pace(Path file) {
      this.file = file;
    }

    /** Waits for the next slice's time; true if there shall be none. */
    boolean stopped() {
      long deadline = System.nanoTime() + PACE_NANOS;
      while (!closed
          && (filled - filledBefore) * ZEROED_PER_FILLED < allowed
          && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(this, PACE_STEP_NANOS);
      }
      allowed += ZeroFill.SLICE_BYTES;
      return closed || !Files.exists(file);
    }
  }

  /** Stops at the next slice. A file that is half zeroed isn't needed and isn't reused. */
  @Override
  public void close() {
    closed = true;
    Thread working = thread;
    if (working != null) {
      LockSupport.unpark(working);
      boolean interrupted = false;
      while (working.isAlive()) {
        try {
          working.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
