// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.bookkeeper.ScriptedBookie.Mark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads what is left of a bookie's journals as a start does, and says what isn't there: a start
 * through Headpond's provider, which finds nothing but whole entries, and on a disk through
 * BookKeeper's own too, which may find a part of what was never acknowledged.
 */
final class JournalJudge {
  /** Nobody is told. */
  static final WholeGroups.Faults UNTOLD =
      new WholeGroups.Faults() {
        @Override
        public void torn(long position) {}

        @Override
        public void damaged(long position, long upTo) {}
      };

  private final Set<Long> acknowledged;
  private final Set<Long> replayed = new HashSet<>();
  private final Set<Long> replayedByTheirs = new HashSet<>();
  private Mark end = new Mark(0, 0);

  /**
   * Replays.
   *
   * @param journals the files of the journal directory, by name
   * @param ledgers those of the ledger directory
   * @param torn can BookKeeper's own provider find a group in part, as on a disk?
   * @throws AssertionError if a start fails, or finds what was never written
   */
  JournalJudge(
      Map<String, byte[]> journals,
      Map<String, byte[]> ledgers,
      Set<Long> acknowledged,
      boolean torn) {
    this.acknowledged = acknowledged;
    TreeMap<Long, byte[]> logs = new TreeMap<>();
    journals.forEach(
        (name, bytes) -> {
          if (name.endsWith(".txn")) {
            logs.put(Long.parseLong(name.substring(0, name.length() - 4), 16), bytes);
          } else if (!name.startsWith(".headpond-probe-")) { // deleted, which isn't forced
            throw new AssertionError(name + " was left behind");
          }
        });
    byte[] file = ledgers.getOrDefault("lastMark", new byte[0]);
    long from = file.length == 16 ? ByteBuffer.wrap(file).getLong() : 0;
    long at = file.length == 16 ? ByteBuffer.wrap(file).getLong(8) : 0;
    if (from > 0 && !logs.containsKey(from)) {
      throw new AssertionError("Recovery log " + from + " is missing; there are " + logs.keySet());
    }
    logs.tailMap(from)
        .forEach(
            (id, bytes) -> {
              long begin = id == from ? at : 0;
              scan(bytes, begin, null, torn, replayedByTheirs);
              end = new Mark(id, scan(bytes, begin, groups(bytes), false, replayed));
            });
  }

  private static WholeGroups groups(byte[] bytes) {
    try {
      return WholeGroups.of(source(bytes), UNTOLD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of those bytes. */
  static WholeGroups.Source source(byte[] bytes) {
    return (target, at) -> {
      int part = (int) Math.max(0, Math.min(target.remaining(), bytes.length - at));
      target.put(bytes, (int) Math.min(at, bytes.length), part);
      return part == 0 ? -1 : part;
    };
  }

  /** As Journal.scanJournal does, by the default provider if there are no groups to be checked. */
  private long scan(byte[] bytes, long from, WholeGroups groups, boolean torn, Set<Long> replayed) {
    boolean whole = bytes.length >= 8 && new String(bytes, 0, 4).equals("BKLG");
    ByteBuffer file = ByteBuffer.wrap(bytes);
    long start = from > 0 ? from : whole ? ScriptedBookie.HEADER_BYTES : 0;
    file.position((int) Math.min(start, bytes.length));
    while (file.remaining() >= 4 && (groups == null || next(groups, file))) {
      int length = file.getInt();
      boolean padding = length == ScriptedBookie.PADDING;
      if (length == 0 || padding && file.remaining() < 4) {
        break;
      }
      length = padding ? file.getInt() : length;
      if (length < 0 && torn) {
        break;
      }
      if (length < 0) {
        throw new AssertionError("negative length before " + file.position());
      }
      if (length > file.remaining()) {
        break;
      }
      byte[] record = new byte[length];
      file.get(record);
      if (!padding && !taken(record, file.position(), torn, replayed)) {
        break;
      }
    }
    return groups != null && groups.torn() ? bytes.length : file.position();
  }

  private static boolean next(WholeGroups groups, ByteBuffer file) {
    try {
      long next = groups.next(file.position());
      file.position((int) Math.max(next, file.position()));
      return next >= 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** False if it is the rest of a group that wasn't forced. */
  private boolean taken(byte[] record, int at, boolean torn, Set<Long> replayed) {
    // Zeros where a record should be aren't entry 0: they name no ledger either.
    boolean named =
        record.length >= 16 && ByteBuffer.wrap(record).getLong() == ScriptedBookie.LEDGER;
    long number = named ? ByteBuffer.wrap(record).getLong(8) : -1;
    if (number >= 0 && Arrays.equals(record, ScriptedBookie.entry(number))) {
      replayed.add(number);
      return true;
    }
    // A sector may end before the number: what is as long as another entry isn't entry 0 either.
    boolean altered =
        acknowledged.contains(number) && record.length == ScriptedBookie.entry(number).length;
    if (torn && !altered) {
      return false;
    }
    throw new AssertionError("a record that was never written, " + number + ", before " + at);
  }

  /** Where the replay ended. */
  Mark end() {
    return end;
  }

  Set<Long> replayed() {
    return replayed;
  }

  /** Is everything acknowledged in the journals or the ledgers? */
  void mustHave(Set<Long> flushed) {
    mustHave(flushed, replayed, "");
    mustHave(flushed, replayedByTheirs, " to BookKeeper's own provider");
  }

  private void mustHave(Set<Long> flushed, Set<Long> found, String whom) {
    Set<Long> lost = new HashSet<>(acknowledged);
    lost.removeAll(flushed);
    lost.removeAll(found);
    if (!lost.isEmpty()) {
      throw new AssertionError(lost.size() + " acknowledged entries are lost" + whom + ": " + lost);
    }
  }
}
