// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads one of BookKeeper's journals up to the point where a restart's replay ends. The format is
 * in docs/on-disk-format.md; a record has no checksum.
 */
final class JournalCheck {
  private static final int MAGIC = 0x424B_4C47;
  private static final int HEADER_BYTES = 512;
  private static final int HEADER_SINCE_VERSION = 5;
  private static final int MADE_READY_BYTES = 4096;
  private static final int PADDING_MASK = -0x100;

  private JournalCheck() {}

  /**
   * The result for one journal file.
   *
   * @param records whole ones
   * @param recordBytes what they take, with the header and what pads groups
   * @param bytes of the file
   * @param fault why a bookie would refuse to replay it; null if there is none
   */
  record Result(long records, long recordBytes, long bytes, String fault) {}

  /**
   * Reads a journal.
   *
   * @throws IOException if it can't be read, or is shortened meanwhile
   */
  static Result run(Path file) throws IOException {
    try (WholeRead in = new WholeRead(file)) {
      return read(in);
    } catch (EOFException e) {
      throw new IOException("it became shorter while it was read", e);
    }
  }

  private static Result read(WholeRead in) throws IOException {
    long end = in.bytes();
    if (end < HEADER_BYTES) {
      return new Result(0, 0, end, null); // cut off while it was made: it holds nothing
    }
    int magic = in.nextInt();
    int version = in.nextInt();
    if (magic != MAGIC) {
      // As a file that is to be reused was made ready for it; old records may be behind that.
      boolean nothing = magic == 0 && version == 0 && in.zeroUntil(Math.min(end, MADE_READY_BYTES));
      in.pass(in.before(end));
      return new Result(0, 0, end, nothing ? null : "it doesn't begin as a journal does");
    }
    if (version < HEADER_SINCE_VERSION) {
      in.pass(in.before(end)); // of a bookie before 4.4
      return new Result(0, 0, end, null);
    }
    in.pass(in.before(HEADER_BYTES));
    long records = 0;
    long whole = HEADER_BYTES;
    while (in.before(end) >= Integer.BYTES) {
      long at = in.position();
      int length = in.nextInt();
      boolean padding = length == PADDING_MASK && in.before(end) >= Integer.BYTES;
      if (padding) {
        length = in.nextInt();
      }
      if (length < 0) {
        return new Result(
            records,
            whole,
            end,
            "the record at byte " + at + " can't be " + length + " bytes long");
      }
      if (length == 0 && !padding || length > in.before(end)) {
        break;
      }
      in.pass(length);
      whole = in.position();
      records += padding ? 0 : 1;
    }
    in.pass(in.before(end));
    return new Result(records, whole, end, null);
  }
}
