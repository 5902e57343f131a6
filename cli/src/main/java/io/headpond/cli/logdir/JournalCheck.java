// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.bookkeeper.WholeGroups;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one of BookKeeper's journals up to the point where a restart's replay ends. The format is
 * in docs/on-disk-format.md; a record has no checksum, a group has one of Headpond's on a disk.
 */
final class JournalCheck {
  private static final int MAGIC = 0x424B_4C47;
  private static final int HEADER_BYTES = 512;
  private static final int HEADER_SINCE_VERSION = 5;

  /** BookKeeper's {@code JournalChannel} (4.16 to 4.18) reads these and those in between. */
  private static final int OLDEST_VERSION = 1;

  private static final int NEWEST_VERSION = 6;
  private static final int MADE_READY_BYTES = 4096;
  private static final int PADDING_MASK = -0x100;

  /** The cause of records that aren't whole. */
  enum State {
    /** They were stored, and the device is to blame. */
    DAMAGED,
    /** They were stored in part, which lost power explains. */
    TORN,
    /** The length of the first one wasn't stored, as a kill leaves it. */
    NOT_BEGUN
  }

  /**
   * Records that aren't what was written.
   *
   * @param state what is known of them
   * @param position of the first one, bytes
   * @param records that can be read there: damaged ones are replayed, others are not
   * @param bytes from the position to their end
   */
  record NotWhole(State state, long position, long records, long bytes) {}

  /**
   * The result for one journal file.
   *
   * @param records whole ones, and damaged ones that are replayed
   * @param recordBytes what they take, with the header and what pads groups
   * @param bytes of the file
   * @param fault why a bookie would refuse to replay it; null if there is none
   * @param notWhole what of the part that is replayed isn't whole
   */
  record Result(
      long records, long recordBytes, long bytes, String fault, List<NotWhole> notWhole) {}

  /** Damage, as it is found. */
  private record Damage(long position, long upTo) {}

  private final WholeRead in;
  private final FileChannel channel;
  private final List<Damage> damages = new ArrayList<>();
  private final List<NotWhole> notWhole = new ArrayList<>();
  private long records;
  private long damagedRecords;
  private long whole = HEADER_BYTES;
  private boolean torn;
  private String fault;

  private JournalCheck(WholeRead in, FileChannel channel) {
    this.in = in;
    this.channel = channel;
  }

  /**
   * Reads a journal.
   *
   * @param replayedFrom the position in it that a restart replays from; behind its end if none does
   * @throws IOException if it can't be read, or is shortened meanwhile
   */
  static Result run(Path file, long replayedFrom) throws IOException {
    try (WholeRead in = new WholeRead(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new JournalCheck(in, channel).read(replayedFrom);
    } catch (EOFException e) {
      throw new IOException("it became shorter while it was read", e);
    }
  }

  private Result read(long replayedFrom) throws IOException {
    long end = in.bytes();
    if (end < HEADER_BYTES) {
      return nothing(null); // cut off while it was made: it holds nothing
    }
    int magic = in.nextInt();
    int version = in.nextInt();
    if (magic != MAGIC) {
      // As a file that is to be reused was made ready for it; old records may be behind that.
      boolean ready = magic == 0 && version == 0 && in.zeroUntil(Math.min(end, MADE_READY_BYTES));
      in.pass(in.before(end));
      return nothing(ready ? null : "it doesn't begin as a journal does");
    }
    if (version < OLDEST_VERSION || version > NEWEST_VERSION) {
      in.pass(in.before(end));
      return nothing("its version is " + version + ", which no bookie reads");
    }
    if (version < HEADER_SINCE_VERSION) {
      in.pass(in.before(end)); // of a bookie before 4.4
      return nothing(null);
    }
    in.pass(in.before(HEADER_BYTES));
    long begin = Math.min(Math.max(replayedFrom, HEADER_BYTES), end);
    scan(begin);
    in.pass(in.before(begin));
    // Nothing of that is replayed: a start that left something out has moved the mark behind it.
    fault = null;
    notWhole.clear();
    scan(end);
    in.pass(in.before(end));
    return new Result(records, whole, end, fault, List.copyOf(notWhole));
  }

  private Result nothing(String reason) {
    return new Result(0, 0, in.bytes(), reason, List.of());
  }

  /** Passes over the records before {@code end}, as a replay from here on would. */
  private void scan(long end) throws IOException {
    WholeGroups groups = WholeGroups.of(channel::read, new Found());
    damagedRecords = 0;
    torn = false;
    boolean ended = false;
    while (!ended && in.before(end) >= Integer.BYTES) {
      long at = groups == null ? in.position() : groups.next(in.position());
      ended = at < 0 || at > end - Integer.BYTES;
      if (!ended) {
        in.pass(at - in.position());
        ended = !record(end);
      }
    }
    damaged();
    if (groups != null && in.before(end) > 0) {
      leftOut(end);
    }
  }

  /** Passes over a record; false if none is there. */
  private boolean record(long end) throws IOException {
    long at = in.position();
    int length = in.nextInt();
    boolean padding = length == PADDING_MASK && in.before(end) >= Integer.BYTES;
    if (padding) {
      length = in.nextInt();
    }
    if (length < 0) {
      fault = "the record at byte " + at + " can't be " + length + " bytes long";
      return false;
    }
    if (length == 0 && !padding || length > in.before(end)) {
      return false;
    }
    in.pass(length);
    whole = in.position();
    records += padding ? 0 : 1;
    boolean inDamage = !damages.isEmpty() && at < damages.get(damages.size() - 1).upTo();
    damagedRecords += inDamage && !padding ? 1 : 0;
    return true;
  }

  /** The damage that was found last has been passed. */
  private void damaged() {
    if (!damages.isEmpty()) {
      Damage last = damages.get(damages.size() - 1);
      long bytes = last.upTo() - last.position();
      notWhole.add(new NotWhole(State.DAMAGED, last.position(), damagedRecords, bytes));
      damagedRecords = 0;
      damages.clear();
    }
  }

  /** In a journal with checks nothing but zeros is behind what is whole. */
  private void leftOut(long end) throws IOException {
    long from = in.position();
    long before = records;
    long wholeBefore = whole;
    boolean more = true;
    while (more && in.before(end) >= Integer.BYTES) {
      more = record(end);
    }
    long found = records - before;
    records = before;
    whole = wholeBefore;
    fault = null; // a start doesn't read it
    in.pass(in.before(end));
    if (in.contentEnd() > from) {
      State state = torn ? State.TORN : State.NOT_BEGUN;
      notWhole.add(new NotWhole(state, from, found, in.contentEnd() - from));
    }
  }

  /** Collects faults while the groups are read. */
  private final class Found implements WholeGroups.Faults {
    @Override
    public void torn(long position) {
      torn = true;
    }

    @Override
    public void damaged(long position, long upTo) {
      JournalCheck.this.damaged();
      damages.add(new Damage(position, upTo));
    }
  }
}
