// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.MappedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A journal on an ordinary disk whose next bytes were written as zeros before: a force is one of
 * data alone, and the file system's own journal has nothing to commit with it.
 */
final class WrittenJournalChannel extends ForcedJournalChannel {
  private final MappedFile written;

  /**
   * A file that nothing was written to.
   *
   * @param zeroBehind as {@link JournalFileChannel} has it
   * @param checks as well
   */
  WrittenJournalChannel(
      Path file,
      MappedFile written,
      boolean zeroBehind,
      GroupChecks checks,
      JournalHost directory) {
    super(file, zeroBehind, checks, directory);
    this.written = written;
  }

  @Override
  void store(ByteBuffer source, long at) throws IOException {
    written.write(source, at);
  }

  /**
   * Its length last: without padding a window may end within the head, which then is two writes.
   */
  @Override
  void finish(ByteBuffer rest, long at, ByteBuffer terminator, GroupHead group) throws IOException {
    long end = at + rest.remaining();
    if (rest.hasRemaining()) {
      written.write(rest, at);
    }
    if (terminator.hasRemaining()) {
      written.write(terminator, end);
    }
    storeLengthLast(group);
  }

  /** It grows ahead by itself. */
  @Override
  boolean allocated(long at) {
    return true;
  }

  @Override
  void persist(boolean metadata) throws IOException {
    written.force();
  }

  /** The zeros ahead stay, as BookKeeper's own preallocation does: acknowledgements wait for it. */
  @Override
  void closeWritten() throws IOException {
    written.closeUntrimmed();
    if (written.fault() != null) {
      throw written.fault(); // perhaps nobody has been told of it
    }
  }
}
