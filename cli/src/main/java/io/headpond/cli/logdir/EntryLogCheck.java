// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Units;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks that one of BookKeeper's entry logs is whole, from its first byte to its last.
 *
 * <p>The format is that of {@code DefaultEntryLogger}, in all versions from 4.16 to 4.18, numbers
 * big-endian: a header of 1,024 bytes ({@code BKLO}, a version, where the map of ledgers begins,
 * how many ledgers it has; both zero until the log is complete); entries, each a length (4 bytes),
 * a ledger (8), a number (8) and the rest of that length; then the map, in entries of ledger -1. An
 * entry has no checksum that could be examined without the client's key.
 *
 * <p>{@code DirectEntryLogger} pads to whole blocks, and its file has zeros up to its limit. A log
 * whose map was written, and for whose successor there was no room, goes on behind the map.
 */
final class EntryLogCheck {
  private static final int MAGIC = 0x424B_4C4F;
  private static final int HEADER_BYTES = 1024;
  private static final int ENTRY_BYTES_MIN = 2 * Long.BYTES;
  private static final long MAP_LEDGER = -1;
  private static final int MAP_HEADER_BYTES = 2 * Long.BYTES + Integer.BYTES;
  private static final int BLOCK_BYTES = 4096;

  /** Its first bit is set: no length begins so. */
  private static final int PADDING = 0xf0;

  private final WholeRead in;
  private long entries;

  /**
   * The result for one entry log.
   *
   * @param entries whole ones
   * @param bytes of the file
   * @param complete does BookKeeper write nothing more to it? After a crash a log may stay without
   *     its map for ever
   * @param fault what no crash leaves; null if there is none
   * @param tail what a crash or a bookie in the middle of writing leaves; null if there is none
   */
  record Result(long entries, long bytes, boolean complete, String fault, String tail) {}

  private EntryLogCheck(WholeRead in) {
    this.in = in;
  }

  /**
   * Reads a log.
   *
   * @throws IOException if it can't be read, or is shortened meanwhile
   */
  static Result run(Path file) throws IOException {
    try (WholeRead in = new WholeRead(file)) {
      return new EntryLogCheck(in).read();
    } catch (EOFException e) {
      throw new IOException("it became shorter while it was read", e);
    }
  }

  private Result read() throws IOException {
    if (in.bytes() < HEADER_BYTES) {
      return result(false, null, "no whole header");
    }
    int magic = in.nextInt();
    in.pass(Integer.BYTES);
    long map = in.nextLong();
    int ledgers = in.nextInt();
    in.pass(in.before(HEADER_BYTES));
    if (magic != MAGIC) {
      return result(false, "it doesn't begin as an entry log does", null);
    }
    if (map == 0) {
      return open();
    }
    if (map < HEADER_BYTES || map > in.bytes()) {
      String file = "the file has " + Units.bytes(in.bytes());
      return result(true, "its map of ledgers should begin at byte " + map + ", but " + file, null);
    }
    String fault = entries(map);
    return fault == null ? map(ledgers) : result(true, fault, null);
  }

  private Result result(boolean complete, String fault, String tail) {
    return new Result(entries, in.bytes(), complete, fault, tail);
  }

  /** Passes over the entries that end before {@code end}; what is wrong, or null. */
  private String entries(long end) throws IOException {
    while (in.before(end) > 0) {
      if (passPadding(end)) {
        continue;
      }
      long at = in.position();
      if (in.before(end) < Integer.BYTES) {
        return "from byte " + at + " on there is no whole entry";
      }
      int length = in.nextInt();
      if (length < ENTRY_BYTES_MIN || length > in.before(end)) {
        return "the entry at byte " + at + " can't be " + length + " bytes long";
      }
      passEntry(length);
    }
    return null;
  }

  /** Counts an entry, unless it is one of a ledger map or fills up a header. */
  private void passEntry(int length) throws IOException {
    entries += in.nextLong() == MAP_LEDGER ? 0 : 1;
    in.pass(length - Long.BYTES);
  }

  /** Passes over what fills up a block, if there is some. */
  private boolean passPadding(long end) throws IOException {
    long block = BLOCK_BYTES - in.position() % BLOCK_BYTES;
    int count = (int) Math.min(block, in.before(end));
    return count > 0 && in.passIfAll(PADDING, count);
  }

  /** A log without a map, or behind it: written to, or left by a crash. */
  private Result open() throws IOException {
    long end = in.bytes();
    while (in.before(end) >= Integer.BYTES) {
      if (passPadding(end)) {
        continue;
      }
      long at = in.position();
      int length = in.nextInt();
      if (length == 0 && in.zeroUntil(end)) {
        return result(false, null, Units.bytes(end - at) + " of zeros from byte " + at + " on");
      }
      if (length < ENTRY_BYTES_MIN) {
        String fault = "the entry at byte " + at + " can't be " + length + " bytes long";
        return result(false, fault, null);
      }
      if (length > in.before(end)) {
        String missing = Units.bytes(length - in.before(end));
        in.pass(in.before(end));
        return result(false, null, "the entry at byte " + at + " lacks its last " + missing);
      }
      passEntry(length);
    }
    return result(false, null, in.before(end) == 0 ? null : "a piece of a length at its end");
  }

  /** The map of ledgers, and what is behind it. */
  private Result map(int ledgers) throws IOException {
    long end = in.bytes();
    long found = 0;
    while (found < ledgers && in.before(end) >= Integer.BYTES + MAP_HEADER_BYTES) {
      int length = in.nextInt();
      long ledger = in.nextLong();
      in.pass(Long.BYTES);
      int count = in.nextInt();
      long rest = count * 2L * Long.BYTES;
      if (ledger != MAP_LEDGER
          || count < 0
          || length != MAP_HEADER_BYTES + rest
          || rest > in.before(end)) {
        return result(true, "its map of ledgers is damaged", null);
      }
      in.pass(rest);
      found += count;
    }
    if (found != ledgers) {
      return result(true, "its map has " + found + " of " + ledgers + " ledgers", null);
    }
    if (passPadding(end) && !in.zeroUntil(end)) {
      return result(true, "something follows the padding behind its map of ledgers", null);
    }
    if (in.before(end) == 0) {
      return result(true, null, null);
    }
    return open();
  }
}
